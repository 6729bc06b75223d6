# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sphinx configuration of the documentation site, which scripts/site builds from a copy of the Markdown pages."""

import pathlib
import re
import sys

from docutils import nodes

sys.path.insert(0, str(pathlib.Path(__file__).parent))  # finds the extension site_pages

project = "Sporos"
build_file = pathlib.Path(__file__).parent.parent / "CMakeLists.txt"
release = re.search(r"project\(Sporos VERSION ([\d.]+)", build_file.read_text())[1]

extensions = ["myst_parser", "breathe", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "site_pages"]
root_doc = "docs/index"
source_suffix = {".md": "markdown"}
highlight_language = "none"  # of code blocks without a language, which are mostly output of programs
smartquotes = False  # -- begins an option
default_role = "literal"  # of `text` in docstrings

myst_heading_anchors = 4
myst_enable_extensions = ["attrs_block"]
suppress_warnings = [
    "source_code_parser.cpp",  # Sphinx cannot parse lambdas in default arguments, and prints them unchanged
]

breathe_default_project = "sporos"  # scripts/site sets the folder of breathe_projects
toc_object_entries = False  # thousands of C++ names would fill every page's navigation
cpp_maximum_signature_line_length = python_maximum_signature_line_length = 90

autodoc_class_signature = "separated"  # users do not construct results
autodoc_member_order = "bysource"
autodoc_typehints = "none"  # docstrings state the types of arguments
napoleon_google_docstring = False

html_theme = "furo"
html_title = f"Sporos {release}"
html_static_path = ["site.css"]
html_css_files = ["site.css"]
html_copy_source = html_show_copyright = False
html_theme_options = {"navigation_with_keys": True}


def escape_docstring(app, kind, name, instance, options, lines):
    """Escapes characters that have a meaning in reStructuredText, except in `code`."""
    for i, line in enumerate(lines):
        parts = re.split(r"(`[^`]*`)", line)
        lines[i] = "".join(part if part.startswith("`") else re.sub(r"\||_(?!\w)", r"\\\g<0>", part) for part in parts)


def write_dashes(app, domain, kind, content):
    """Replaces the two hyphens between a parameter and its description."""
    for text in list(content.findall(nodes.Text)):
        if text == " -- ":
            text.parent.replace(text, nodes.Text(" – "))


def setup(app):
    app.connect("autodoc-process-docstring", escape_docstring)
    app.connect("object-description-transform", write_dashes)
