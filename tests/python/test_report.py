# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pages of --report are well-formed and describe pictures in words. In a browser, they fit the window and the paper.

An animated picture shows in a browser the numbers of its data.
"""

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
    "network": ["simulate", "network", "--case", DATA / "networks" / "emergency_department.json",
                "--replications", "20"],
    "networks": "simulate network --stations.doctor.servers 2:4 --replications 20".split(),
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


# Moves the animated picture of a page to positions of its slider, and plays it for a second. Reports after each step
# the clock, the texts of the stations, and the numbers of visible marks in each row of each station. Timers take the
# place of frames, for which the browser's virtual time does not wait.
DRIVE = """
window.requestAnimationFrame = draw => setTimeout(() => draw(performance.now()), 16);
const figure = document.querySelector('figure.animation'), slider = figure.querySelector('input');
const play = figure.querySelector('.play'), averages = figure.querySelector('.averages');
const seen = node => getComputedStyle(node).display != 'none' && getComputedStyle(node).visibility == 'visible';
const texts = () => [...figure.querySelectorAll('.count, .still')].filter(seen).map(node => node.textContent);
const marks = kind => [...figure.querySelectorAll('.station')].map(
  station => [...station.querySelectorAll(kind)].filter(seen).length);
const state = () => ({clock: figure.querySelector('output').textContent, texts: texts(), frames: marks('.frame'),
  used: marks('.used'), waits: marks('.waits'), button: play.textContent,
  status: figure.querySelector('[role=status]').textContent, controls: seen(figure.querySelector('.controls'))});
const found = {start: state()};
BEFORE
for (const position of POSITIONS) {
  slider.value = position;
  slider.dispatchEvent(new Event('input'));
  found[position] = state();
}
averages.click();
found.averages = state();
slider.value = 500;
slider.dispatchEvent(new Event('input'));
play.click();
setTimeout(() => {
  found.playing = state();
  play.click();
  found.paused = state();
  const node = document.createElement('p');
  node.id = 'found';
  node.textContent = JSON.stringify(found);
  document.body.append(node);
}, 1000);
"""
POSITIONS = (0, 1, 125, 500, 777, 1000)


def driven(path, folder, before="", script=DRIVE):
    """Returns by step what a browser shows of the animated picture of a page."""
    page = folder / "driven.html"
    drive = script.replace("POSITIONS", str(list(POSITIONS))).replace("BEFORE", before)
    page.write_text(path.read_text().replace("</body>", f"<script>{drive}</script></body>"))
    command = [BROWSER, "--no-sandbox", "--disable-gpu", "--virtual-time-budget=5000", "--dump-dom", page.as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    found = re.search(r'<p id="found">(.+?)</p>', done.stdout)
    assert found, done.stdout[-500:] + done.stderr[-500:]
    return json.loads(html.unescape(found[1]))


def all_data_of(path):
    """Returns the data of the animated pictures of a page."""
    figures = tree_of(path).getElementsByTagName("figure")
    return [json.loads(figure.getElementsByTagName("script")[0].firstChild.data)
            for figure in figures if figure.getAttribute("class") == "animation"]


def data_of(path):
    """Returns the data of the only animated picture of a page."""
    (data,) = all_data_of(path)
    return data


def expected_texts(data, time):
    """Returns what stations with servers show at a time, calculated from all changes up to that time."""
    numbers = [0] * len(data["stations"])
    for at, place, number in zip(data["times"], data["places"], data["numbers"]):
        if at <= time:
            numbers[place] = number
    texts, counts = [], []
    for station, number in zip(data["stations"], numbers):
        in_cycle = time % station["cycle"] if station["cycle"] else time
        servers = [count for begin, count in station["servers"] if begin <= in_cycle][-1]
        served = min(number, servers)
        texts.append(f"{served} at servers, {number - served} waiting")
        counts.append((servers, served, number - served))
    return texts, counts


@needs_browser
def test_animation_shows_the_numbers_of_its_data(paths, tmp_path):
    data = data_of(paths["network"])
    found = driven(paths["network"], tmp_path)
    for position in POSITIONS:
        state, time = found[str(position)], position / 1000 * data["end"]
        texts, counts = expected_texts(data, time)
        assert state["texts"] == texts, position
        clock = f"{time:.0f} of {data['end']:.0f} min" + (" (warm-up)" if time < data["warm_up"] else "")
        assert state["clock"] == clock
        assert state["status"].startswith(f"At {clock}: triage: {texts[0]}; ")
        for station, (servers, served, waiting) in enumerate(counts[:-1]):
            assert (state["frames"][station], state["used"][station], state["waits"][station]) == (servers, served, waiting)
        assert state["frames"][-1] == state["used"][-1] == 1  # the many servers of the ward are a bar
    # The control is a page with one customer more after each change.
    def text_of(numbers):
        return f'"numbers":[{",".join(map(str, numbers))}]'

    changed, page = tmp_path / "changed.html", paths["network"].read_text()
    changed.write_text(page.replace(text_of(data["numbers"]), text_of(number + 1 for number in data["numbers"])))
    assert changed.read_text() != page
    assert driven(changed, tmp_path)["500"]["texts"] != expected_texts(data, data["end"] / 2)[0]


# Moves the slider of the first picture, and reports the texts of all pictures.
DRIVE_ALL = """
BEFORE
const figures = [...document.querySelectorAll('figure.animation')], slider = figures[0].querySelector('input');
const found = {captions: figures.map(figure => figure.querySelector('figcaption').textContent),
               controls: document.querySelectorAll('.controls').length};
for (const position of POSITIONS) {
  slider.value = position;
  slider.dispatchEvent(new Event('input'));
  found[position] = figures.map(figure => [...figure.querySelectorAll('.count')].map(node => node.textContent));
}
found.status = figures[0].querySelector('[role=status]').textContent;
const node = document.createElement('p');
node.id = 'found';
node.textContent = JSON.stringify(found);
document.body.append(node);
"""


@needs_browser
def test_animations_of_design_points_move_together(paths, tmp_path):
    all_data = all_data_of(paths["networks"])
    found = driven(paths["networks"], tmp_path, script=DRIVE_ALL)
    assert found["controls"] == 1 and found["captions"] == [
        f"Customers at the stations, point {point}: stations.doctor.servers {point + 1}" for point in (1, 2, 3)]
    for position in POSITIONS:
        expected = [expected_texts(data, position / 1000 * data["end"])[0] for data in all_data]
        assert found[str(position)] == expected, position
    assert found["status"].count("Customers at the stations, point") == 3
    heights = [float(curve.getAttribute("d").split("V")[-1].rstrip("Z")) - min(map(float, re.findall(r"V([\d.]+)", d)))
               for curve in tree_of(paths["networks"]).getElementsByTagName("path")
               if curve.getAttribute("class") == "curve" and (d := curve.getAttribute("d"))]
    peaks = [max(data["numbers"][i] for i, place in enumerate(data["places"]) if place == 1) for data in all_data]
    assert heights[1::2] == pytest.approx([22 * peak / max(peaks) for peak in peaks], abs=0.1)  # the same scale
    assert len(set(peaks)) > 1
    assert found["500"][0] != found["500"][2]  # control


def test_many_design_points_have_three_pictures(tmp_path):
    """The first, the last, and the best one if it is requested."""
    page = tmp_path / "page.html"
    words = "simulate network --stations.doctor.servers 7,2,5,3,6 --replications 20 --report".split()
    for question, points in ((["--largest", "utilization at doctor"], (1, 2, 5)), ([], (1, 5))):
        json_of(*words, page, *question, program=FIRST_PROGRAM)
        assert len(all_data_of(page)) == len(points)
        assert f"Shown: points {', '.join(map(str, points))} of 5 design points." in page.read_text()


@needs_browser
def test_animation_starts_and_ends_as_a_still_picture(paths, tmp_path):
    found = driven(paths["network"], tmp_path)
    still = found["start"]["texts"]
    assert len(still) == 5 and all(re.fullmatch(r"average \d+\.\d\d, at most \d+", text) for text in still)
    assert found["averages"]["texts"] == still
    assert found["start"]["clock"] == "averages over 11520 min"
    assert found["start"]["controls"] and sum(found["start"]["used"]) == sum(found["start"]["waits"]) == 0
    assert max(found["averages"]["frames"]) == 6  # the doctors of all shifts


@needs_browser
def test_animation_plays_and_pauses(paths, tmp_path):
    found = driven(paths["network"], tmp_path)
    begin, end = (float(found[step]["clock"].split()[0]) for step in ("500", "playing"))
    assert found["playing"]["button"] == "Pause" and found["paused"]["button"] == "Play"
    assert begin < end < begin + 2 * 200  # the speed is 200 min per second
    assert found["paused"]["clock"] == found["playing"]["clock"]


@needs_browser
def test_animation_needs_no_script(paths, tmp_path):
    """Without scripts and on paper, the picture has averages and no controls."""
    page = paths["network"].read_text()
    plain = tmp_path / "plain.html"
    plain.write_text(re.sub(r"<script>//<!\[CDATA.*?</script>", "", page, flags=re.DOTALL))
    paper = ON_PAPER.replace("page.styleSheets", "document.styleSheets").replace("frame.contentWindow.", "")
    for path, before in ((plain, ""), (paths["network"], paper)):
        state = driven(path, tmp_path, before)["500"]
        assert all(text.startswith("average") for text in state["texts"]) and len(state["texts"]) == 5
        assert not state["controls"] and sum(state["used"]) == 0 and sum(state["frames"]) == 13
    assert driven(paths["network"], tmp_path)["500"]["controls"]  # control


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
