# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pages of --report: well formed, with words for pictures; in a browser, nothing is wider than the window."""

import json
import re
import shutil
import subprocess
from xml.dom import minidom

import pytest

from command_line import DATA, json_of

BROWSER = next((path for name in ("chromium-headless-shell", "chromium") if (path := shutil.which(name))), None)
COMMANDS = {
    "design": "simulate mmck --servers 2:4 --customers 100 --replications 64 --compare mean-wait".split(),
    "steady": "simulate mm1 --steady-state --observations 20000".split(),
    "search": "optimize mm1 --customers 5 --over service-rate=1:2 --minimize time_in_queue --replications 100".split(),
    "select": "select mm1 --customers 5 --over service-rate=1,2 --largest time_in_queue --delta 1".split(),
    "fit": ["fit", DATA / "galaxies.csv", "--components", "1:2", "--starts", "2"],
}


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("reports")
    made = {}
    for name, words in COMMANDS.items():
        path = folder / f"{name}.html"
        made[name] = (path, json_of(*words, "--report", path, program="sporos-serial"))
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
    for point in result["points"]:
        for response in point["responses"]:
            assert {json.dumps(response[name]) for name in ("mean", "half_width", "exact")} <= shown
    for difference in result["comparison"]["differences"]:
        assert json.dumps(difference["difference"]) in shown
    assert json.dumps(1.25e-7) not in shown


def width_in_browser(page, folder, width, more=""):
    """Of what can be scrolled to, in a window of that width."""
    frame = folder / "frame.html"
    frame.write_text(
        f"<iframe id='page' style='border:0;width:{width}px;height:800px' src='{page.name}'></iframe><p id='found'></p>"
        "<script>document.getElementById('page').onload = event => {"
        "const page = event.target.contentDocument;" + more +
        "document.getElementById('found').textContent = 'width ' + page.scrollingElement.scrollWidth + ' colour ' +"
        " event.target.contentWindow.getComputedStyle(page.body).backgroundColor; }</script>"
    )
    return frame


def looked_at(frame, *options):
    command = [BROWSER, "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files", "--virtual-time-budget=2000"]
    done = subprocess.run([*command, *options, "--dump-dom", frame.as_uri()], capture_output=True, text=True, timeout=60)
    found = re.search(r"width (\d+) colour rgb\((\d+), \d+, \d+\)", done.stdout)
    assert found, done.stdout[-500:] + done.stderr[-500:]
    return int(found[1]), int(found[2])


@pytest.mark.skipif(BROWSER is None, reason="there is no Chromium")
@pytest.mark.parametrize("width", [390, 1280])
def test_fits_into_the_window(pages, width):
    for name in COMMANDS:
        path = pages[name][0]
        assert looked_at(width_in_browser(path, path.parent, width))[0] <= width, name
    # The control: a table that does not scroll by itself.
    path = pages["design"][0]
    wide = "page.querySelector('.wide').style.cssText = 'overflow: visible; width: 3000px';"
    assert looked_at(width_in_browser(path, path.parent, width, wide))[0] > width


@pytest.mark.skipif(BROWSER is None, reason="there is no Chromium")
def test_is_light_and_dark_and_drawn(pages, tmp_path):
    path = pages["design"][0]
    frame = width_in_browser(path, path.parent, 390)
    assert looked_at(frame, "--blink-settings=preferredColorScheme=1")[1] == 255
    assert looked_at(frame, "--blink-settings=preferredColorScheme=0")[1] < 64
    for name, options in {"phone": ["--window-size=390,844"], "desk": ["--window-size=1280,900"]}.items():
        picture = tmp_path / f"{name}.png"
        subprocess.run([BROWSER, "--no-sandbox", "--disable-gpu", *options, f"--screenshot={picture}", path.as_uri()],
                       capture_output=True, timeout=60, check=True)
        assert picture.read_bytes().startswith(b"\x89PNG") and picture.stat().st_size > 10000
