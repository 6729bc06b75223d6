# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the generated pages of the documentation site: command line, Python, C++.

  python3 docs/write_reference.py XML FOLDER [PROGRAM]

XML is the folder with Doxygen's XML files, FOLDER the folder for the pages, PROGRAM the command line `sporos`. The
script changes the XML files so that Breathe can show the contents of each header. The Python page requires that the
package `sporos` can be imported.
"""

import importlib
import inspect
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

toctree = "```{toctree}\n:maxdepth: 1\n\n%s\n```\n"

# --- Command line -----------------------------------------------------------------------------------------------------

# Models and problems whose options a page shows. For other commands, it is the first of preferred_models that the
# command supports.
shown_models = {
    "simulate": ["mm1", "radiation", "germinal-centre"],
    "optimize": ["mm1", "portfolio", "newsvendor", "classification"],
}
preferred_models = ["mm1", "call-options"]


def run(*arguments):
    return subprocess.run(arguments, check=True, capture_output=True, text=True).stdout


def escaped(text):
    """The text with the characters escaped that have a meaning in Markdown. `Code` remains."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(part if part.startswith("`") else re.sub(r"([\\*_<>\[\]#|~])", r"\\\1", part) for part in parts)


def markdown_of_help(text, level):
    """Converts the help of a command: options become directives, examples and lists of models become blocks."""
    result = []
    block = []  # lines of a paragraph, or of indented lines
    is_indented = False

    def end_block():
        if block:
            lines = "\n".join(line[2:] for line in block) if is_indented else escaped(" ".join(block))
            result.append(f"```text\n{lines}\n```\n" if is_indented else f"{lines}\n")
            block.clear()

    for line in text.splitlines():
        if option := re.fullmatch(r"  (-.+?)(?:  +(.*))?", line):
            end_block()
            name = option[1].replace(",-", ", -")
            result.append(f"```{{option}} {name}\n{escaped(option[2] or '')}\n```\n")
        elif re.fullmatch(r"[A-Z][^.`]*:", line):
            end_block()
            result.append(f"{'#' * level} {escaped(line[:-1])}\n")
        elif line.startswith("Usage: ") or (not result and line.startswith("sporos ")):
            result.append(f"```text\n{line.removeprefix('Usage: ')}\n```\n")
        elif not line:
            end_block()
        else:
            if block and is_indented != line.startswith("  "):
                end_block()
            is_indented = line.startswith("  ")
            block.append(line)
    end_block()
    return "\n".join(result)


def write_command_pages(folder, program):
    head = "# Options of each command\n\nThis page is for users of the program `sporos` who look up an option. "
    if not program:
        folder.joinpath("commands.md").write_text(
            f"{head}This copy of the site was built without the program.\nTo include its options, run `scripts/build`, "
            "then `scripts/site`.\n"
        )
        print("The site has no options of the command line: there is no program.", file=sys.stderr)
        return
    pages = folder / "commands"
    pages.mkdir(exist_ok=True)
    overview = run(program, "--help-all")
    commands = re.findall(r"^  sporos (\S+)( MODEL| PROBLEM\|MODEL)?(?= |$)", overview, re.M)
    for command, wants_model in commands:
        text = run(program, command, "--help-all")
        page = f"# sporos {command}\n\n```{{program}} sporos {command}\n```\n\n{markdown_of_help(text, 2)}"
        if wants_model and command not in ("describe", "predict"):
            models = re.findall(r"^  ([a-z]\S*)  ", text, re.M)
            best = next((model for model in preferred_models if model in models), models[0])
            for model in shown_models.get(command, [best]):
                text = run(program, command, model, "--help-all")
                page += f"\n## Options for {model}\n\n```{{program}} sporos {command} {model}\n```\n\n"
                page += markdown_of_help(text, 3)
        pages.joinpath(f"{command}.md").write_text(page)
    folder.joinpath("commands.md").write_text(
        f"{head}It has the output of `--help-all` of each\ncommand. For commands with a model, the pages show the "
        "options for one model.\n`sporos COMMAND MODEL --help-all` prints those for another model.\n\n"
        + toctree % "\n".join(f"commands/{command}" for command, _ in commands)
    )


# --- Python -----------------------------------------------------------------------------------------------------------


def write_python_page(folder):
    page = "# Python API\n\nThis page is for users of the package `sporos` who look up a function or class. "
    try:
        importlib.import_module("sporos")
        page += "It consists of the docstrings.\n"
        for name in ["sporos", "sporos.optimize"]:
            module = importlib.import_module(name)
            page += f"\n## {name}\n\n```{{eval-rst}}\n.. automodule:: {name}\n```\n"
            for is_kind, directive in [(inspect.isroutine, "autofunction"), (inspect.isclass, "autoclass")]:
                for member in module.__all__:
                    if is_kind(getattr(module, member)):
                        content = f".. {directive}:: {name}.{member}\n"
                        content += "   :members:\n" if directive == "autoclass" else ""
                        page += f"\n### {member}\n\n```{{eval-rst}}\n{content}```\n"
    except Exception as error:  # Python code that does not fit a module of an older build raises other exceptions
        page += "This copy of\nthe site was built without the package. To include its docstrings, run `scripts/build`, "
        page += "then `scripts/site`.\n"
        print(f"The site has no Python API: {error}", file=sys.stderr)
    folder.joinpath("python.md").write_text(page)


# --- C++ --------------------------------------------------------------------------------------------------------------

names_of_layers = {
    "core": "Core: random numbers, distributions, replications",
    "models": "Models",
    "optimizers": "Optimizers",
    "procedures": "Procedures",
}
longest_initializer = 40  # characters


def simplify(compound):
    """Removes from declarations what Sphinx cannot parse and readers do not need."""
    for include in compound.findall("includes"):
        compound.remove(include)
    for member in compound.iter("memberdef"):
        initializer = member.find("initializer")
        if initializer is not None and len("".join(initializer.itertext())) > longest_initializer:
            member.remove(initializer)
        arguments = member.find("argsstring")
        if arguments is not None:  # for designated initializers, as in `const Options &options={.share=1}`
            arguments.text = re.sub(r"(\w+) &(\w+)=\{\.", r"\1 &\2=\1{.", arguments.text or "")
    for item in compound.iter("parameteritem"):  # `@throws Type, naming` and `@throws Type and` have one name only
        names = item.findall("parameternamelist")
        names[0][1:] = []
        item[:] = names[:1] + item.findall("parameterdescription")


def add_compound(xml, index, kind, name, children):
    """Writes an XML file as Doxygen does for groups and pages, and lists it in the index."""
    root = ElementTree.Element("doxygen", {"version": index.get("version")})
    compound = ElementTree.SubElement(root, "compounddef", {"id": name, "kind": kind})
    ElementTree.SubElement(compound, "compoundname").text = name
    compound.extend(children)
    ElementTree.ElementTree(root).write(xml / f"{name}.xml", encoding="utf-8", xml_declaration=True)
    entry = ElementTree.SubElement(index, "compound", {"refid": name, "kind": kind})
    ElementTree.SubElement(entry, "name").text = name


def write_cpp_pages(folder, xml):
    """Adds to the XML a group and a description for each header, and writes a page for each folder of headers."""
    compounds = []
    members = {}  # functions and others outside of classes, by header and kind
    for file in sorted(xml.glob("*.xml")):
        tree = ElementTree.parse(file)
        compound = tree.getroot().find("compounddef")
        if compound is None:  # the index
            continue
        simplify(compound)
        tree.write(file, encoding="utf-8", xml_declaration=True)
        compounds.append(compound)
        if compound.get("kind") == "namespace":
            for section in compound.findall("sectiondef"):
                for member in section:
                    header = member.find("location").get("file")
                    members.setdefault(header, {}).setdefault(section.get("kind"), []).append(member)

    index = ElementTree.parse(xml / "index.xml")
    directives = {}  # by the path of the header
    for compound in compounds:
        if compound.get("kind") != "file":
            continue
        path = compound.find("location").get("file")
        names = {inner.text for inner in compound.findall("innerclass")}
        contents = [  # classes that are not members of others
            inner
            for inner in compound.findall("innerclass")
            if not any(inner.text.startswith(f"{name}::") for name in names)
        ]
        for kind, found in members.get(path, {}).items():
            contents.append(ElementTree.Element("sectiondef", {"kind": kind}))
            contents[-1].extend(found)
        if not contents:
            continue
        name = "header_" + re.sub(r"\W", "_", path)
        add_compound(xml, index.getroot(), "group", name, contents)
        directives[path] = f"```{{doxygengroup}} {name}\n:content-only:\n:members:\n```\n"
        description = [compound.find("briefdescription"), compound.find("detaileddescription")]
        if "".join(description[0].itertext()).strip():
            add_compound(xml, index.getroot(), "page", f"{name}_description", description)
            directives[path] = f"```{{doxygenpage}} {name}_description\n:content-only:\n```\n\n{directives[path]}"
    index.write(xml / "index.xml", encoding="utf-8", xml_declaration=True)

    pages = folder / "cpp"
    pages.mkdir(exist_ok=True)
    folders = sorted({str(pathlib.PurePosixPath(path).parent) for path in directives})
    for of_page in folders:
        page = f"# {of_page}\n"
        for path in sorted(path for path in directives if str(pathlib.PurePosixPath(path).parent) == of_page):
            name = pathlib.PurePosixPath(path).name
            page += f"\n## {name}\n\n[Source code](../../../../{path}): `#include <sporos/{path}>`\n\n"
            page += directives[path]
        pages.joinpath(of_page.replace("/", "-") + ".md").write_text(page)
    page = "# C++ API\n\nThis page is for programmers who look up a class or function of the library. "
    page += "Each page has the headers of one folder.\n"
    for layer, title in names_of_layers.items():
        of_layer = [name.replace("/", "-") for name in folders if name.split("/")[0] == layer]
        page += f"\n## {title}\n\n" + toctree % "\n".join(f"cpp/{name}" for name in of_layer)
    folder.joinpath("cpp.md").write_text(page)


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    xml, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    write_command_pages(folder, sys.argv[3] if len(sys.argv) == 4 else "")
    write_python_page(folder)
    write_cpp_pages(folder, xml)


main()
