# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pages of --report are well-formed and describe pictures in words. In a browser, they fit the window and the paper."""

import html
import json
import re
import shlex
import shutil
import subprocess
from xml.dom import minidom

import pytest

import sporos
from command_line import DATA, json_of

BROWSER = next((path for name in ("chromium-headless-shell", "chromium") if (path := shutil.which(name))), None)
FIRST_PROGRAM = f"sporos-{sporos.backends()[0]}"
RARE = ["--event", "number in system >= 10"]
COMMANDS = {
    "design": "simulate mmck --servers 2:4 --customers 100 --replications 64 --compare mean-wait".split(),
    "questions": [*"simulate mm1 --customers 9 --replications 200 --quantiles 0.5,0.9".split(),
                  "--probability", "time in system > 3", "--histogram", "time in system=0:6:6",
                  "--density", "time in system=0:6:7"],
    "controls": "simulate mm1 --customers 9 --replications 200 --control-variates".split(),
    "steady": "steady-state mm1 --observations 20000".split(),
    "splitting": [*"rare-event mm1 --chains 100".split(), *RARE],
    "adaptive": [*"rare-event mm1 --chains 100 --method adaptive".split(), *RARE],
    "importance": [*"rare-event mm1 --replications 2000 --method importance".split(), *RARE],
    "multilevel": "multilevel call-options --response geometric-Asian-call --rmse 0.2 --scheme 2".split(),
    "strata": [*"stratify mm1 --customers 3 --replications 2000 --strata service-times:20".split(),
               "--neyman", "time in system"],
    "arrays": "array-rqmc mm1 --chain-steps 1 --chains 64".split(),
    "sensitivity": "sensitivity mm1 --customers 9 --uncertain arrival_rate=0.3:0.7 "
                   "--uncertain service-rate=uniform(0.9,1.1) --base-points 64".split(),
    "inputs": ["input-uncertainty", "mm1", "--customers", "9", "--outer-samples", "40",
               "--input", f"service_rate=rate({DATA / 'old_faithful.csv'})",
               "--input", f"arrival_rate=rate({DATA / 'old_faithful.csv'})"],
    "search": "optimize mm1 --customers 5 --over service-rate=1:2 --minimize time_in_queue --replications 100".split(),
    "newsvendor": "optimize newsvendor --product-count 2 --epochs 1 --gap-batches 0".split(),
    "classification": ["optimize", "classification", DATA / "breast_cancer.csv", "--iterations", "3"],
    "select": "select mm1 --customers 5 --over service-rate=1,2 --largest time_in_queue --delta 1".split(),
    "solvers": "compare-solvers --solvers adam,spsa --problems mm1 --macroreplications 2 --budget 300 "
                  "--post-replications 20 --bootstraps 5".split(),
    "fit": ["fit", DATA / "galaxies.csv", "--components", "1:2", "--starts", "2"],
}


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("reports")
    made = {}
    for name, words in COMMANDS.items():
        path = folder / f"{name}.html"
        made[name] = (path, json_of(*words, "--report", path, program=FIRST_PROGRAM))
    return made


def tree_of(path):
    doctype, _, page = path.read_text().partition("\n")
    assert doctype == "<!DOCTYPE html>"
    return minidom.parseString(page)


@pytest.mark.parametrize("name", COMMANDS)
def test_is_well_formed_and_has_words_for_pictures(pages, name):
    tree = tree_of(pages[name][0])
    pictures = tree.getElementsByTagName("svg")
    assert pictures
    ids = [node.getAttribute("id") for node in tree.getElementsByTagName("*") if node.hasAttribute("id")]
    assert len(ids) == len(set(ids))
    for picture in pictures:
        assert picture.getAttribute("role") == "img"
        title, words = picture.getElementsByTagName("title")[0], picture.getElementsByTagName("desc")[0]
        assert picture.getAttribute("aria-labelledby") == title.getAttribute("id")
        assert picture.getAttribute("aria-describedby") == words.getAttribute("id")
        assert title.firstChild.data and words.firstChild.data
        for use in picture.getElementsByTagName("use"):
            assert use.getAttribute("xlink:href")[1:] in ids
    for table in tree.getElementsByTagName("table"):
        assert table.getElementsByTagName("caption")
        assert all(head.getAttribute("scope") in ("col", "row") for head in table.getElementsByTagName("th"))


def test_has_each_estimate(pages):
    path, result = pages["design"]
    shown = {node.getAttribute("value") for node in tree_of(path).getElementsByTagName("data")}
    for response in result["tables"]["means"]["rows"]:
        assert {json.dumps(response[name]) for name in ("mean", "half_width", "exact")} <= shown
    for difference in result["tables"]["differences"]["rows"]:
        assert json.dumps(difference["difference"]) in shown
    assert json.dumps(1.25e-7) not in shown


def without_seconds(document):
    """Returns a document without times and machine, at all levels."""
    if isinstance(document, list):
        return [without_seconds(one) for one in document]
    if not isinstance(document, dict):
        return document
    return {name: without_seconds(one) for name, one in document.items()
            if not name.startswith("seconds") and name != "machine"}


@pytest.mark.parametrize("name", COMMANDS)
def test_its_command_repeats_the_run(pages, name):
    path, result = pages[name]
    command = html.unescape(re.search(r"<pre[^>]*><code>(.*?)</code>", path.read_text(), re.DOTALL)[1])
    program, *words = shlex.split(command)
    assert program == "sporos"
    again = json_of(*words, program=FIRST_PROGRAM)
    repeated = without_seconds(result)
    repeated.get("tables", {}).pop("convergence", None)  # exists only with a page
    assert without_seconds(again) == repeated


PICTURES = re.compile(r"<svg.*?</svg>", re.DOTALL)
COLOURS = re.compile(r"""(fill|stroke|color)\s*=\s*["'](#[0-9a-f]{6}|white|black)["']""")


def colours_without_dark(page):
    """Returns the colours of pictures that the style sheet does not change for readers with a dark system."""
    used = {(what, colour) for picture in PICTURES.findall(page) for what, colour in COLOURS.findall(picture)}
    return {(what, colour) for what, colour in used if f'svg [{what}="{colour}"]' not in page}


def test_each_colour_has_a_dark_variant(pages):
    for name, (path, _) in pages.items():
        page = re.sub(r"<use [^>]*scale\(0\.00\)[^>]*>", "", path.read_text())  # ignores discs of size 0
        assert not colours_without_dark(page), name
    assert colours_without_dark("<svg><path fill='#123456'/></svg>") == {("fill", "#123456")}  # control


# Each frame reports three facts about its page: the scrollable width, the background colour, and the smallest contrast
# between text and background, as defined by the Web Content Accessibility Guidelines.
LOOK = """
const channel = c => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
const luminance = colour => {
  const [red, green, blue] = colour.match(/\\d+/g).map(Number).map(channel);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};
const contrast = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
const look = frame => {
  const page = frame.contentDocument, style = node => frame.contentWindow.getComputedStyle(node);
  BEFORE
  const background = style(page.body).backgroundColor;
  const texts = [...page.querySelectorAll('h1, h2, p, th, td, dt, dd, caption, figcaption, code, summary, text')];
  const of = node => contrast(luminance(node.localName == 'text' ? style(node).fill : style(node).color),
                              luminance(background));
  return [frame.name, page.scrollingElement.scrollWidth, Number(background.match(/\\d+/)[0]), Math.min(...texts.map(of))];
};
window.onload = () => {
  document.getElementById('found').textContent = JSON.stringify([...document.querySelectorAll('iframe')].map(look));
};
"""

# Applies the style for paper instead of the style for screens.
ON_PAPER = """
for (const sheet of page.styleSheets) {
  for (const rule of sheet.cssRules) {
    if (!(rule instanceof frame.contentWindow.CSSMediaRule)) continue;
    rule.media.mediaText = rule.media.mediaText.replace(/\\bscreen\\b/, 'not all').replace(/\\bprint\\b/, 'all')
      .replace('not all and (prefers-color-scheme: dark)', 'not all');
  }
}
"""
A4 = 718  # width in pixels between Chromium's margins


def looked_at(paths, width, before="", is_dark=False):
    """Returns by name the facts that a browser reports about pages in windows of the given width."""
    folder = next(iter(paths.values())).parent
    frames = "".join(
        f"<iframe name='{name}' style='border:0;width:{width}px;height:800px' src='{path.name}'></iframe>"
        for name, path in paths.items())
    (folder / "frames.html").write_text(
        f"{frames}<p id='found'></p><script>{LOOK.replace('BEFORE', before)}</script>")
    command = [BROWSER, "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files", "--virtual-time-budget=5000",
               f"--blink-settings=preferredColorScheme={0 if is_dark else 1}", "--dump-dom",
               (folder / "frames.html").as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    found = re.search(r'<p id="found">(.+?)</p>', done.stdout)
    assert found, done.stdout[-500:] + done.stderr[-500:]
    return {name: tuple(facts) for name, *facts in json.loads(html.unescape(found[1]))}


needs_browser = pytest.mark.skipif(BROWSER is None, reason="there is no Chromium")


@pytest.fixture(scope="module")
def paths(pages):
    return {name: path for name, (path, _) in pages.items()}


@needs_browser
@pytest.mark.parametrize("width", [390, 1280])
def test_fits_into_the_window(paths, width):
    for name, (found, _, _) in looked_at(paths, width).items():
        assert found <= width, name
    # The control is a table that does not scroll.
    wide = "page.querySelector('.wide').style.cssText = 'overflow: visible; width: 3000px';"
    assert all(found > width for found, _, _ in looked_at({"design": paths["design"]}, width, wide).values())


@needs_browser
@pytest.mark.parametrize("is_dark", [False, True])
def test_is_read_in_light_and_dark(paths, is_dark):
    min_contrast = 4.5  # level AA
    for name, (_, background, contrast) in looked_at(paths, 1280, is_dark=is_dark).items():
        assert (background < 64) if is_dark else (background == 255), name
        assert contrast >= min_contrast, name
    # The controls are a page that ignores the reader's colours, and pictures whose labels keep their drawn colours.
    plain = "page.querySelector('style').textContent = page.querySelector('style').textContent.replaceAll('dark', 'x');"
    drawn = "page.querySelectorAll('text').forEach(node => node.style.fill = '#777777');"
    assert looked_at({"design": paths["design"]}, 1280, plain, is_dark)["design"][1] == 255
    assert looked_at({"design": paths["design"]}, 1280, drawn, is_dark)["design"][2] < min_contrast


@needs_browser
@pytest.mark.parametrize("is_dark", [False, True])
def test_is_light_and_fits_on_paper(paths, is_dark):
    for name, (found, background, contrast) in looked_at(paths, A4, ON_PAPER, is_dark).items():
        assert found <= A4, name
        assert background == 255 and contrast >= 4.5, name
    # The controls are the dark style for screens, and a table that is wider than the paper.
    wide = ON_PAPER + "page.querySelector('table').style.width = '3000px';"
    assert looked_at({"design": paths["design"]}, A4, wide, is_dark)["design"][0] > A4
    assert not is_dark or looked_at({"design": paths["design"]}, A4, "", is_dark)["design"][1] < 64


def sheets_of(pdf):
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


@needs_browser
def test_is_drawn_and_printed(paths, tmp_path):
    for name, options in {"phone": ["--window-size=390,844"], "desk": ["--window-size=1280,900"]}.items():
        picture = tmp_path / f"{name}.png"
        subprocess.run([BROWSER, "--no-sandbox", "--disable-gpu", *options, f"--screenshot={picture}",
                        paths["design"].as_uri()], capture_output=True, timeout=60, check=True)
        assert picture.read_bytes().startswith(b"\x89PNG") and picture.stat().st_size > 10000
    printed = {}
    long = tmp_path / "long.html"  # control: each row of a table is on a separate sheet
    long.write_text(paths["design"].read_text().replace("figure, tr,", "tr { break-after: page; } figure, tr,"))
    for page in (paths["design"], long):
        pdf = tmp_path / f"{page.stem}.pdf"
        subprocess.run([BROWSER, "--no-sandbox", "--disable-gpu", f"--print-to-pdf={pdf}", page.as_uri()],
                       capture_output=True, timeout=60, check=True)
        assert pdf.read_bytes().startswith(b"%PDF")
        printed[page.stem] = sheets_of(pdf.read_bytes())
    assert 1 <= printed["design"] <= 8 < printed["long"]
