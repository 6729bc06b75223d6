// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/gnuplot.hpp>
#include <sporos/core/io/picture_parts.hpp>
#include <sporos/core/math/count.hpp>
#include <sporos/models/mixtures/mixture_histogram.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace sporos::models {

/// Text of a picture that sample and mixture do not contain.
struct MixturePictureText {
  std::string data;      ///< name of the sample
  std::string variable;  ///< name of the observed variable, with its unit
  double bic;            ///< BIC of the fit; lower is better
};

namespace impl {

/// Builds the script of one picture part by part. Components are sorted by their means.
class MixturePicture {
 public:
  MixturePicture(BinnedObservations bins, NormalMixture mixture, MixturePictureText text)
      : m_bins(std::move(bins)), m_mixture(std::move(mixture)), m_text(std::move(text)) {
    sort_by_mean(m_mixture);
    find_bars();
    find_frame();
  }

  std::string script() const { return frame() + styles() + legend() + data() + plot(); }

  // Script without margins, titles and legend.
  std::string panel() const { return axes() + styles() + (m_is_cut ? cut_peaks() : "") + data() + plot(); }

 private:
  struct Bar {
    double center, height, width;
  };

  std::string plot() const {
    std::string text =
        "plot $bars using 1:2:3 with boxes linestyle 101 notitle, $density with lines linestyle 100 notitle";
    for (std::size_t c = 1; c <= m_mixture.size(); ++c) {
      text += fmt::format(", $component{0} with lines linestyle {0} notitle", c);
    }
    return text + "\n";
  }

  static constexpr std::size_t max_listed = 20;
  // Colours of Okabe and Ito (2008), which colour-blind readers can distinguish, without yellow, which is faint on
  // white, and black, which is used for the sum. The numbers of dashes and colours are coprime, so combinations repeat
  // only after 30 components.
  static constexpr std::array colors{"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"};
  static constexpr std::array dashes{"solid", "(12,4)", "(3,3)", "(12,4,3,4)", "(6,3)"};

  void find_bars();
  void find_frame();
  std::vector<double> abscissas(double low, double high) const;
  std::string axes() const;
  std::string frame() const;
  std::string styles() const;
  std::string legend() const;
  std::string cut_peaks() const;
  std::string component_rows(std::size_t row) const;
  std::string data() const;

  BinnedObservations m_bins;
  NormalMixture m_mixture;
  MixturePictureText m_text;
  double m_observations = 0;
  std::vector<Bar> m_bars;
  double m_low = 0, m_high = 0, m_top = 0;
  bool m_is_cut = false;
};

}  // namespace impl

/// A script for io::PictureFile that draws Figure 3 of Cheng (2014), Massively parallel programming in statistical
/// optimization & simulation. It shows the sample as a histogram, the density of the mixture, and its weighted
/// components; a legend lists their parameters. Bins with an infinite edge count as observations but are not drawn. A
/// peak that would flatten everything else is cut off and labelled with its height. Throws std::invalid_argument if the
/// sample or the mixture does not pass its check.
inline std::string mixture_picture(const BinnedObservations& sample, const NormalMixture& mixture,
                                   const MixturePictureText& text) {
  check(sample);
  check(mixture);
  return impl::MixturePicture(sample, mixture, text).script();
}

/// A script for a small picture, without titles and legend.
inline std::string mixture_panel(const Observations& sample, const NormalMixture& mixture,
                                 const MixturePictureText& text) {
  check(mixture);
  return impl::MixturePicture(histogram_of(sample, mixture), mixture, text).panel();
}

/// A script for individual observations, in the bins of histogram_of.
inline std::string mixture_picture(const Observations& sample, const NormalMixture& mixture,
                                   const MixturePictureText& text) {
  return mixture_picture(histogram_of(sample, mixture), mixture, text);
}

namespace impl {

inline void MixturePicture::find_bars() {
  m_observations = std::accumulate(m_bins.counts.begin(), m_bins.counts.end(), 0.0);
  for (std::size_t b = 0; b < m_bins.counts.size(); ++b) {
    const double left = m_bins.edges[b], width = m_bins.edges[b + 1] - left;
    if (std::isfinite(width)) m_bars.push_back({left + width / 2, m_bins.counts[b] / m_observations / width, width});
  }
}

/// Sets the frame to the range of the data with a margin, up to the highest bar or density. The body is the height of
/// the highest bar after the tallest bars with a seventh of the observations are removed. If the highest value is far
/// above the body, the frame is cut at twice the body.
inline void MixturePicture::find_frame() {
  m_low = m_mixture.front().mean - 4 * m_mixture.front().deviation;  // used if no bin is finite
  m_high = m_mixture.back().mean + 4 * m_mixture.back().deviation;
  if (!m_bars.empty()) {
    m_low = m_bars.front().center - m_bars.front().width / 2;
    m_high = m_bars.back().center + m_bars.back().width / 2;
  }
  const double margin = 0.03 * (m_high - m_low);
  m_low -= margin;
  m_high += margin;
  double highest = 0;
  for (const double y : abscissas(m_low, m_high)) highest = std::max(highest, density(m_mixture, y));
  std::vector<Bar> tallest = m_bars;
  std::sort(tallest.begin(), tallest.end(), [](const Bar& a, const Bar& b) { return a.height > b.height; });
  double body = highest, share = 0;
  for (const Bar& bar : tallest) {
    highest = std::max(highest, bar.height);
    body = bar.height;
    if ((share += bar.height * bar.width) > 1.0 / 7) break;
  }
  m_is_cut = highest > 2.5 * body;
  m_top = 1.05 * (m_is_cut ? 2 * body : highest);
}

/// Abscissas of curves: equidistant, and dense about each component so that no peak is missed.
inline std::vector<double> MixturePicture::abscissas(double low, double high) const {
  constexpr int even = 300, about_each = 50;
  std::vector<double> places;
  for (int i = 0; i <= even; ++i) places.push_back(low + (high - low) * i / even);
  for (const auto& component : m_mixture) {
    for (int i = -about_each; i <= about_each; ++i) {
      const double place = component.mean + component.deviation * i * (5.0 / about_each);
      if (place > low && place < high) places.push_back(place);
    }
  }
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  return places;
}

inline std::string MixturePicture::axes() const {
  return io::quiet_axes() + fmt::format("set xrange [{}:{}]\nset yrange [0:{}]\nset xlabel {}\nset ylabel 'density'\n",
                                        m_low, m_high, m_top, io::in_gnuplot_quotes(m_text.variable));
}

inline std::string MixturePicture::frame() const {
  const auto k = m_mixture.size();
  const bool is_whole = m_observations == std::floor(m_observations);
  return "set lmargin at screen 0.095\nset rmargin at screen 0.69\nset bmargin at screen 0.13\n"
         "set tmargin at screen 0.875\n" +
         axes() +
         io::picture_title(m_text.data,
                           fmt::format("{} observations, {} normal component{}, BIC {}",
                                       io::picture_number(m_observations, is_whole ? 0 : 2), k, k == 1 ? "" : "s",
                                       io::picture_number(m_text.bic, 1)),
                           0.095);
}

inline std::string MixturePicture::styles() const {
  std::string text =
      "set style line 100 linecolor rgb 'black' linewidth 3.6 dashtype solid\n"
      "set style line 101 linecolor rgb '#CFD6DD' linewidth 1 dashtype solid\n";
  text += m_bars.size() > 80 ? "set style fill solid\n" : "set style fill solid border linecolor rgb 'white'\n";
  for (std::size_t c = 0; c < m_mixture.size(); ++c) {
    text += fmt::format("set style line {} linecolor rgb '{}' linewidth 1.7 dashtype {}\n", c + 1,
                        colors[c % colors.size()], dashes[c % dashes.size()]);
  }
  return text;
}

inline double row_height(std::size_t row) { return 0.86 - 0.034 * static_cast<double>(row); }

inline std::string line_sample(std::size_t row, std::size_t style) {
  return fmt::format("set arrow from screen 0.712, {0:.3f} to screen 0.752, {0:.3f} nohead linestyle {1} front\n",
                     row_height(row), style);
}

inline std::string MixturePicture::legend() const {
  std::string text = fmt::format(
      "set object rectangle from screen 0.712, {:.3f} to screen 0.752, {:.3f} fillcolor rgb '#CFD6DD' fillstyle solid "
      "noborder\n",
      row_height(0) - 0.011, row_height(0) + 0.011);
  const auto bins = m_bars.size();
  text += io::picture_label(fmt::format("histogram, {} bin{}", bins, bins == 1 ? "" : "s"), 0.762, row_height(0), "");
  text += line_sample(1, 100) + io::picture_label("fitted density", 0.762, row_height(1), "");
  std::size_t row = 2;
  if (m_is_cut) {
    text += io::picture_label("↑", 0.732, row_height(row), "center");
    text += io::picture_label("height of a truncated peak", 0.762, row_height(row++), "") + cut_peaks();
  }
  return text + component_rows(row + 1);
}

inline std::string MixturePicture::cut_peaks() const {
  std::string text;
  for (const auto& component : m_mixture) {
    const double height = density(m_mixture, component.mean), place = component.mean;
    if (height <= m_top || place <= m_low || place >= m_high) continue;
    const bool is_left = place > m_low + 0.8 * (m_high - m_low);
    text += fmt::format("set label '↑ {:.3g}' at first {}, graph 0.97 {} offset character {}, 0 front\n", height, place,
                        is_left ? "right" : "left", is_left ? -0.7 : 0.7);
  }
  return text;
}

inline std::string MixturePicture::component_rows(std::size_t row) const {
  const std::array columns{0.812, 0.9, 0.985};
  const auto numbers = [&](const std::array<std::string, 3>& texts, const char* how) {
    std::string labels;
    for (std::size_t i = 0; i < 3; ++i) labels += io::picture_label(texts[i], columns[i], row_height(row), how);
    return labels;
  };
  const auto narrowest = std::min_element(m_mixture.begin(), m_mixture.end(), [](const auto& a, const auto& b) {
                           return a.deviation < b.deviation;
                         })->deviation;
  const int decimals = std::clamp(2 - static_cast<int>(bounded_count(std::floor(std::log10(narrowest)))), 0, 4);
  std::string text = numbers({"weight", "mean", "deviation"}, "right textcolor rgb '#505050'");
  for (std::size_t c = 0; c < std::min(m_mixture.size(), max_listed); ++c) {
    ++row;
    const auto& [weight, mean, deviation] = m_mixture[c];
    text += line_sample(row, c + 1);
    text += numbers(
        {io::picture_number(weight, 3), io::picture_number(mean, decimals), io::picture_number(deviation, decimals)},
        "right");
  }
  if (m_mixture.size() <= max_listed) return text;
  return text +
         io::picture_label(fmt::format("and {} more", m_mixture.size() - max_listed), 0.762, row_height(++row), "");
}

inline std::string MixturePicture::data() const {
  std::string text = "$bars << END\n";
  for (const Bar& bar : m_bars) text += fmt::format("{} {} {}\n", bar.center, bar.height, bar.width);
  if (m_bars.empty()) text += fmt::format("{} 0 1\n", m_low);
  const auto curve = [&](const std::string& name, double low, double high, const auto& height) {
    text += fmt::format("END\n${} << END\n", name);
    for (const double y : abscissas(low, high)) text += fmt::format("{:.9g} {:.6g}\n", y, height(y));
  };
  for (std::size_t c = 0; c < m_mixture.size(); ++c) {
    const NormalComponent& component = m_mixture[c];
    const double reach = 4 * component.deviation;
    curve(fmt::format("component{}", c + 1), std::max(m_low, component.mean - reach),
          std::min(m_high, component.mean + reach), [&](double y) { return density(component, y); });
  }
  curve("density", m_low, m_high, [&](double y) { return density(m_mixture, y); });
  return text + "END\n";
}

}  // namespace impl

}  // namespace sporos::models
