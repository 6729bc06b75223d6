#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Repairs links of the site's pages that Doxygen copies unchanged from the Markdown files: links to headings of other
pages, and links to files and folders of the source, for which it writes pages. Copies pictures that Doxygen has not
found.

  python3 docs/link_site.py SOURCE SITE

SOURCE is the source tree, SITE the folder with Doxygen's pages. Exits with 1 and names links that lead nowhere.
"""
import html
import pathlib
import re
import shutil
import sys

PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Sporos: {title}</title><link href="{top}doxygen.css" rel="stylesheet"></head>
<body style="margin: 1em"><p><a href="{top}index.html">Sporos</a> / {title}</p>{body}</body></html>
"""
HEADING = re.compile(r'<h[1-6]><a class="anchor" id="([^"]*)"></a>\s*(.*?)</h[1-6]>', re.DOTALL)


def slug(heading):
    """The anchor that a heading has in Markdown."""
    text = html.unescape(re.sub("<[^>]*>", "", heading)).strip().lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


class Site:
    def __init__(self, source, folder):
        self.source, self.folder = source, folder
        self.pages = {}  # of Markdown files, by their paths in the source
        for file in [*source.glob("*.md"), *source.glob("docs/**/*.md")]:
            path = file.relative_to(source).as_posix()
            page = re.sub("[/-]", "_", path.removesuffix(".md"))
            name = "index.html" if path == "README.md" else f"md_{page}.html"
            if (folder / name).exists():
                self.pages[path] = name
        self.anchors = {path: self.anchors_of(name) for path, name in self.pages.items()}

    def anchors_of(self, page):
        """By its Markdown anchor, that of each heading; equal ones are numbered."""
        anchors = {}
        for anchor, heading in HEADING.findall((self.folder / page).read_text()):
            name, count = slug(heading), 0
            while (name if count == 0 else f"{name}-{count}") in anchors:
                count += 1
            anchors[name if count == 0 else f"{name}-{count}"] = anchor
        return anchors

    def resolved(self, page, link):
        """Where a link of the Markdown file `page` leads in the site; None for nowhere."""
        path, _, anchor = link.partition("#")
        file = (self.source / page).parent / path if path else self.source / page
        if not file.exists():
            return None
        path = file.resolve().relative_to(self.source).as_posix()
        if path not in self.pages:
            return self.page_of_source(path)
        if not anchor:
            return self.pages[path]
        return f"{self.pages[path]}#{self.anchors[path][anchor]}" if anchor in self.anchors[path] else None

    def page_of_source(self, path):
        """Writes a page of a file's text or a folder's entries."""
        file, name = self.source / path, f"source/{path}.html"
        page = self.folder / name
        if page.exists():
            return name
        page.parent.mkdir(parents=True, exist_ok=True)
        if file.is_dir():
            page.touch()  # so that the folders within need not write it again
            entries = sorted(entry for entry in file.iterdir() if not entry.name.startswith("."))
            links = [self.page_of_source(entry.relative_to(self.source).as_posix()) for entry in entries]
            up = "../" * (len(page.relative_to(self.folder).parts) - 1)
            body = "<ul>" + "".join(f'<li><a href="{up}{link}">{html.escape(entry.name)}{"/" * entry.is_dir()}</a></li>'
                                    for link, entry in zip(links, entries)) + "</ul>"
        else:
            try:
                body = f"<pre>{html.escape(file.read_text())}</pre>"
            except UnicodeDecodeError:  # a picture, an archive
                shutil.copy(file, page.with_suffix(""))
                body = f'<p><a href="{file.name}">{html.escape(file.name)}</a></p>'
        top = "../" * (len(page.relative_to(self.folder).parts) - 1)
        page.write_text(PAGE.format(title=html.escape(path), top=top, body=body))
        return name

    def mend(self, page):
        """Mends the links of a page; those that lead nowhere."""
        lost = []

        def mended(match):
            link = html.unescape(match[1])
            if re.match("[a-z]+:", link) or (link and (self.folder / link.partition("#")[0]).is_file()):
                return match[0]
            if link.startswith("#"):
                if f'id="{link[1:]}"' in text or f'name="{link[1:]}"' in text:
                    return match[0]
            found = self.resolved(page, link)
            if found is None:
                lost.append(f"{page}: {link}")
                return match[0]
            return f'href="{html.escape(found)}"'

        def copied(match):
            """The picture, copied into the site if Doxygen has not found it, as for paths that begin with `../`."""
            link = html.unescape(match[2])
            if re.match("[a-z]+:", link) or (self.folder / link).is_file():
                return match[0]
            picture = ((self.source / page).parent / link).resolve()
            if not picture.is_file():
                lost.append(f"{page}: {link}")
                return match[0]
            path = picture.relative_to(self.source).as_posix()
            (self.folder / "source" / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(picture, self.folder / "source" / path)
            return f'{match[1]}source/{html.escape(path)}"'

        file = self.folder / self.pages[page]
        text = file.read_text()
        text = re.sub('(<img src=")([^"]*)"', copied, re.sub('href="([^"]*)"', mended, text))
        file.write_text(text)
        return lost


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    source, folder = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
    shutil.rmtree(folder / "source", ignore_errors=True)
    site = Site(source, folder)
    lost = [link for page in site.pages for link in site.mend(page)]
    if lost:
        sys.exit("\n".join(["links that lead nowhere:", *lost]))


main()
