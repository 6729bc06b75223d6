// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/page/document.hpp>

#include <string_view>

namespace sporos::runtime {

namespace {

// The page must be valid as HTML and as XML. For HTML, a script is plain text; for XML, it is a section of characters.
constexpr std::string_view script = R"(<script>//<![CDATA[
'use strict';

// Returns the index of the last element of `times`, which do not decrease, up to `time`.
function lastUpTo(times, time) {
  let low = 0, high = times.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= time) low = middle; else high = middle;
  }
  return low;
}

// Shows the first `count` marks, or lengthens the bar that replaces them.
function showMarks(marks, count) {
  marks.forEach((mark, index) => {
    if (mark.dataset.most) {
      mark.setAttribute('width', mark.dataset.length * Math.min(count / mark.dataset.most, 1));
    } else {
      mark.style.visibility = index < count ? 'visible' : 'hidden';
    }
  });
}

// A station of the picture, with its numbers of customers over time.
function stationOf(group, data) {
  const all = kind => [...group.querySelectorAll(kind)];
  return {name: data.name, times: [0], numbers: [0], cycle: data.cycle || Infinity,
          shifts: data.servers.map(step => step[0]), servers: data.servers.map(step => step[1]),
          frames: all('.frame'), used: all('.used'), queue: all('.waits, .here'),
          text: group.querySelector('.count'), cursor: group.querySelector('.cursor')};
}

// Shows a station at `time` and returns its numbers in words.
function showStation(station, time) {
  const number = station.numbers[lastUpTo(station.times, time)];
  const hasQueue = station.servers.length > 0;
  const servers = hasQueue ? station.servers[lastUpTo(station.shifts, time % station.cycle)] : 0;
  const served = Math.min(number, servers), others = number - served;
  if (station.frames.length > 1) showMarks(station.frames, servers);
  showMarks(station.used, served);
  showMarks(station.queue, others);
  station.text.textContent = hasQueue ? `${served} at servers, ${others} waiting` : `${number} here`;
  return `${station.name}: ${station.text.textContent}`;
}

// The picture of one replication, without controls.
function pictureOf(figure) {
  const data = JSON.parse(figure.querySelector('script').textContent);
  const groups = figure.querySelectorAll('.station');
  const stations = data.stations.map((station, index) => stationOf(groups[index], station));
  data.times.forEach((time, index) => {
    const station = stations[data.places[index]];
    station.times.push(time);
    station.numbers.push(data.numbers[index]);
  });
  return {figure, data, stations, title: figure.querySelector('figcaption').textContent};
}

// Shows a picture at `time`, or at its end if that is earlier, and returns its numbers in words.
function showPicture(picture, time) {
  const now = Math.min(time, picture.data.end);
  const words = picture.stations.map(station => showStation(station, now));
  const x = picture.data.curve_width * now / picture.data.end;
  picture.stations.forEach(station => station.cursor.setAttribute('transform', `translate(${x} 0)`));
  picture.figure.classList.add('moves');
  return words.join('; ');
}

// Lets the controls in the first figure move the pictures of all figures.
function animate(figures) {
  const find = kind => figures[0].querySelector(kind);
  const pictures = figures.map(pictureOf);
  const data = pictures[0].data, end = Math.max(...pictures.map(picture => picture.data.end));
  const play = find('.play'), slider = find('input'), clock = find('output'), speed = find('select');
  const decimals = Math.min(Math.max(3 - Math.ceil(Math.log10(end)), 0), 9);
  let time = 0, last = null;  // `last` is the time stamp of the last frame; null while the animation pauses

  const show = now => {
    time = Math.min(now, end);
    const words = pictures.map(picture => showPicture(picture, time));
    clock.textContent = `${time.toFixed(decimals)} of ${end.toFixed(decimals)} ${data.unit}` +
      (time < data.warm_up ? ' (warm-up)' : '');
    slider.value = 1000 * time / end;
    slider.setAttribute('aria-valuetext', clock.textContent);
    if (pictures.length === 1) return `At ${clock.textContent}: ${words[0]}.`;
    const sentences = pictures.map((picture, index) => `${picture.title}: ${words[index]}.`);
    return `At ${clock.textContent}. ${sentences.join(' ')}`;
  };
  const pause = () => {
    last = null;
    play.textContent = 'Play';
  };
  const settle = now => {
    pause();
    find('[role=status]').textContent = show(now);
  };
  const frame = stamp => {
    if (last === null) return;
    const seconds = Math.min((stamp - last) / 1000, 0.1);  // a page in the background has no frames
    last = stamp;
    if (time + seconds * speed.value >= end) {
      settle(end);
    } else {
      show(time + seconds * speed.value);
      requestAnimationFrame(frame);
    }
  };
  play.onclick = () => {
    if (last !== null) {
      settle(time);
      return;
    }
    show(time < end ? time : 0);
    play.textContent = 'Pause';
    last = performance.now();
    requestAnimationFrame(frame);
  };
  slider.oninput = () => settle(slider.value / 1000 * end);
  const showAverages = () => {
    pause();
    figures.forEach(figure => figure.classList.remove('moves'));
    clock.textContent = `averages over ${end.toFixed(decimals)} ${data.unit}`;
  };
  find('.averages').onclick = showAverages;
  showAverages();
  find('.controls').hidden = false;
}

const groups = [];
document.querySelectorAll('figure.animation').forEach(figure => {
  if (figure.querySelector('.controls')) groups.push([]);
  groups[groups.length - 1].push(figure);
});
groups.forEach(animate);
//]]></script>
)";

}  // namespace

std::string animation_script() { return std::string(script); }

}  // namespace sporos::runtime
