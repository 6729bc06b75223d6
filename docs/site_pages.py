# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sphinx extension of the documentation site: navigation, and pages that show source files.

Pages named index.md list other pages. These lists become the navigation of the site, with a caption for each heading.

Links to files and folders that are not pages, such as ../../core/random/philox.hpp#L20, lead to pages that show them.
"""

import html
import pathlib
import posixpath
import re

import pygments
import pygments.formatters
import pygments.lexers
import pygments.util
from docutils import nodes
from sphinx import addnodes

repository = pathlib.Path(__file__).resolve().parent.parent
largest_shown = 200_000  # bytes; larger files and pictures are copied instead of shown
more_pages = ["README <../README.md>", "../CONTRIBUTING.md", "../CHANGELOG.md"]
generated_pages = """
- [Options of each command](reference/generated/commands.md): the output of `--help-all`
- [Python API](reference/generated/python.md): functions and classes with all arguments
- [C++ API](reference/generated/cpp.md): classes and functions of each header
"""  # docs/write_reference.py writes them

# --- Navigation -------------------------------------------------------------------------------------------------------


def add_navigation(app, docname, source):
    """Appends hidden tables of contents with the links of an index page."""
    if posixpath.basename(docname) != "index":
        return
    is_root = docname == app.config.root_doc
    if is_root:
        source[0] = source[0].replace("<!-- generated pages -->", generated_pages.strip())
        source[0] = source[0].replace("\n- ", "\n{.doors}\n- ", 1)  # docs/site.css
    captions, heading, caption, listed = {}, "", "", []
    for line in source[0].splitlines():
        if line.startswith("## "):
            heading = caption = line[3:]
        elif bold := re.fullmatch(r"\*\*(.+)\*\*", line):
            caption = f"{heading}: {bold[1].lower()}"
        for page in re.findall(r"\]\(([^()\s#:]+\.md)(?:#[^()\s]*)?\)", line):
            is_listed_here = not page.startswith("../") if is_root else "/" not in page
            if is_listed_here and page not in ["index.md", *listed]:
                captions.setdefault(caption, []).append(page)
                listed.append(page)
    if is_root:
        captions["More"] = captions.pop("", []) + more_pages
    for caption, pages in captions.items():
        options = f":hidden:\n:caption: {caption}" if is_root else ":hidden:"
        entries = "\n".join(page.replace(".md", "") for page in pages)
        source[0] += f"\n\n```{{toctree}}\n{options}\n\n{entries}\n```\n"


class Navigation:
    """Speeds up the theme, which for each page copies all headings of all pages and then shows only the titles."""

    def __init__(self):
        self.titles = None  # tables of contents of all pages, without the headings of the pages
        self.of_sources = {}  # by the depth of folders, since source files themselves are not in the navigation

    def set_titles(self, tocs):
        self.titles = {docname: toc.deepcopy() for docname, toc in tocs.items()}
        for toc in self.titles.values():
            for headings in list(toc.findall(nodes.bullet_list))[1:]:
                if headings.parent and not list(headings.findall(addnodes.toctree)):
                    headings.parent.remove(headings)

    def pass_titles(self, app, pagename, templatename, context, doctree):
        toctree_of = context["toctree"]

        def toctree(**options):
            depth = pagename.count("/")
            if pagename.startswith("source/") and depth in self.of_sources:
                return self.of_sources[depth]
            if self.titles is None:
                self.set_titles(app.env.tocs)
            tocs, app.env.tocs = app.env.tocs, self.titles
            try:
                result = toctree_of(**options)
            finally:
                app.env.tocs = tocs
            if pagename.startswith("source/"):
                self.of_sources[depth] = result
            return result

        context["toctree"] = toctree


# --- Source files -----------------------------------------------------------------------------------------------------


def is_shown(file):
    return file.stat().st_size <= largest_shown and file.suffix not in (".png", ".svg")


def page_of(path):
    """Path in the site of the page or copy of a file or folder of the repository."""
    file = repository / path
    return f"source/{path}" if file.is_file() and not is_shown(file) else f"source/{path}.html"


def link_sources(app, doctree):
    """Replaces links to files and folders of the repository by links to their pages, and remembers these files."""
    docname = app.env.docname
    linked = app.env.linked_sources = getattr(app.env, "linked_sources", {})
    linked[docname] = set()
    links = doctree.findall(lambda node: isinstance(node, (addnodes.pending_xref, addnodes.download_reference)))
    for node in list(links):
        path, _, anchor = node["reftarget"].partition("#")
        file = ((repository / docname).parent / path).resolve()
        if node.get("reftype") != "myst" or node.get("refdomain") or not path or not file.exists():
            continue
        path = file.relative_to(repository).as_posix()
        linked[docname].add(path)
        uri = posixpath.relpath(page_of(path), posixpath.dirname(docname))
        line = f"#line-{anchor[1:]}" if anchor else ""
        node.replace_self(nodes.reference("", "", *node.children, refuri=uri + line))


def pages_of_sources(app):
    """Yields a page for each linked file and folder, and for everything in these folders."""
    waiting = sorted(set().union(*getattr(app.env, "linked_sources", {}).values()))
    seen = set()
    while waiting:
        path = waiting.pop()
        if path in seen:
            continue
        seen.add(path)
        file = repository / path
        if file.is_dir():
            entries = sorted(entry for entry in file.iterdir() if not re.match(r"\.|__pycache__", entry.name))
            waiting += [f"{path}/{entry.name}" for entry in entries]
            links = [
                f'<li><a href="{posixpath.relpath(page_of(f"{path}/{entry.name}"), posixpath.dirname(page_of(path)))}">'
                f"{html.escape(entry.name)}{'/' if entry.is_dir() else ''}</a></li>"
                for entry in entries
            ]
            yield page(path, f"<ul>{''.join(links)}</ul>")
        elif is_shown(file):
            yield page(path, highlighted(file))
        else:
            copy = pathlib.Path(app.outdir, page_of(path))
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(file.read_bytes())


def page(path, content):
    title = html.escape(path)
    return f"source/{path}", {"title": title, "body": f"<h1>{title}</h1>{content}"}, "page.html"


def highlighted(file):
    text = file.read_text()
    try:
        lexer = pygments.lexers.get_lexer_for_filename(file.name, text)
    except pygments.util.ClassNotFound:
        lexer = pygments.lexers.TextLexer()
    formatter = pygments.formatters.HtmlFormatter(lineanchors="line")
    return pygments.highlight(text, lexer, formatter)


def setup(app):
    app.connect("source-read", add_navigation)
    app.connect("doctree-read", link_sources)
    app.connect("html-page-context", Navigation().pass_titles, priority=400)  # before the theme
    app.connect("html-collect-pages", pages_of_sources)
    return {"parallel_read_safe": False, "parallel_write_safe": True, "env_version": 1}
