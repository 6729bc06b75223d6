# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""links.py ROOT: checks that the links and pictures of all pages under ROOT lead to existing files and headings."""
import pathlib
import re
import sys

LINK = re.compile(r"\]\(([^()\s]+)\)")


def prose_of(text):
    """Returns a text without code, in which `](` has another meaning."""
    return re.sub(r"`[^`\n]*`", "", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S))


def anchors_of(page):
    """Returns the anchors of a page's headings, as GitHub generates them.

    They are in lower case, without punctuation, with '-' for blanks, and with -1 for the second heading of a name.
    """
    headings = re.findall(r"^#+ +(.*)$", re.sub(r"^```.*?^```", "", page.read_text(), flags=re.M | re.S), flags=re.M)
    names = [re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-") for heading in headings]
    return {name + (f"-{names[:i].count(name)}" if name in names[:i] else "") for i, name in enumerate(names)}


def fault_of(page, link):
    if re.match(r"[a-z]+:", link):
        return None
    path, _, anchor = link.partition("#")
    target = page.parent / path if path else page
    if not target.exists():
        return "does not exist"
    if anchor and target.suffix == ".md" and anchor not in anchors_of(target):
        return "has no such heading"
    return None


def main():
    root = pathlib.Path(sys.argv[1])
    pages = [page for page in sorted(root.rglob("*.md")) if not re.match(
        r"build[^/]*/|(.*/)?\.", str(page.relative_to(root)))]  # skips build folders and hidden ones
    links = [(page, link) for page in pages for link in LINK.findall(prose_of(page.read_text()))]
    faults = [f"{page.relative_to(root)}: {link} {fault}" for page, link in links if (fault := fault_of(page, link))]
    print("\n".join(faults) if faults else f"{len(links)} links of {len(pages)} pages")
    return 1 if faults or not links else 0


if __name__ == "__main__":
    sys.exit(main())
