// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/distributions/tables.hpp>
#include <sporos/core/execution/choice.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace sporos {

/// Which of the distributions, where that is chosen at run time.
enum class DistributionKind {
  constant,         ///< a number, with certainty
  uniform,          ///< `uniform`
  uniform_integer,  ///< `uniform_integer`
  triangular,       ///< `triangular`
  exponential,      ///< `exponential`
  erlang,           ///< `erlang`
  gamma,            ///< `gamma`
  weibull,          ///< `weibull`
  lognormal,        ///< `lognormal`
  normal,           ///< `normal`
  geometric,        ///< `geometric`
  poisson,          ///< `poisson`
  discrete,         ///< `discrete`
  empirical         ///< `empirical`
};

/// Names of the distributions.
template <>
struct ChoiceNames<DistributionKind> {
  static constexpr std::string_view what = "distribution";  ///< what is chosen
  /// name and value of each
  static constexpr auto values =
      std::to_array<NamedValue<DistributionKind>>({{"constant", DistributionKind::constant},
                                                   {"uniform", DistributionKind::uniform},
                                                   {"uniform-integer", DistributionKind::uniform_integer},
                                                   {"triangular", DistributionKind::triangular},
                                                   {"exponential", DistributionKind::exponential},
                                                   {"erlang", DistributionKind::erlang},
                                                   {"gamma", DistributionKind::gamma},
                                                   {"weibull", DistributionKind::weibull},
                                                   {"lognormal", DistributionKind::lognormal},
                                                   {"normal", DistributionKind::normal},
                                                   {"geometric", DistributionKind::geometric},
                                                   {"poisson", DistributionKind::poisson},
                                                   {"discrete", DistributionKind::discrete},
                                                   {"empirical", DistributionKind::empirical}});
};

/// A distribution that is chosen at run time, on the host.
struct DistributionChoice {
  DistributionKind kind = DistributionKind::constant;  ///< which
  std::array<double, 3> parameters{};                  ///< in the order of the distribution's function
  std::vector<double> values;                          ///< of `discrete` and `empirical`
  std::vector<double> probabilities;                   ///< of `discrete`

  /// Throws std::invalid_argument for parameters that make no distribution.
  void check() const;

  /// The expectation.
  double mean() const;

  /// The lower end of the values that can come out; minus infinity for a normal distribution.
  double least() const;

  /// A table of the values and their probabilities where these are finitely many and at most `most_values`.
  std::optional<DistributionChoice> finite_table(std::int64_t most_values) const;
};

/// The distribution that `text` describes: a name and, in parentheses, its parameters with commas or blanks between
/// them. Throws std::invalid_argument, which lists the names that there are or the parameters that are expected.
///
///     constant(value)                uniform(low, high)           uniform-integer(low, high)
///     triangular(low, mode, high)    exponential(rate)            erlang(shape, rate)
///     gamma(shape, scale)            weibull(shape, scale)        lognormal(log_mean, log_deviation)
///     normal(mean, deviation)        geometric(probability)       poisson(mean)
///     discrete(value:probability, value:probability, ...)         empirical(observation, observation, ...)
inline DistributionChoice parse_distribution(std::string_view text);

namespace impl {

/// The names of a distribution's parameters; of none where it is a table.
inline std::vector<std::string_view> parameter_names(DistributionKind kind) {
  switch (kind) {
    case DistributionKind::constant:
      return {"value"};
    case DistributionKind::uniform:
    case DistributionKind::uniform_integer:
      return {"low", "high"};
    case DistributionKind::triangular:
      return {"low", "mode", "high"};
    case DistributionKind::exponential:
      return {"rate"};
    case DistributionKind::erlang:
      return {"shape", "rate"};
    case DistributionKind::gamma:
    case DistributionKind::weibull:
      return {"shape", "scale"};
    case DistributionKind::lognormal:
      return {"log_mean", "log_deviation"};
    case DistributionKind::normal:
      return {"mean", "deviation"};
    case DistributionKind::geometric:
      return {"probability"};
    case DistributionKind::poisson:
      return {"mean"};
    case DistributionKind::discrete:
    case DistributionKind::empirical:
      break;
  }
  return {};
}

inline void check_whole(std::string_view name, double value, double least, double most) {
  check_parameter(value >= least && value <= most && std::floor(value) == value, name, value,
                  "a whole number from " + number_text(least) + " to " + number_text(most));
}

inline double parse_distribution_number(std::string_view text) {
  double number = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || stop != text.data() + text.size() || error != std::errc()) {
    throw std::invalid_argument("'" + std::string(text) + "' is no number");
  }
  return number;
}

inline std::vector<std::string_view> words_of(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> words;
  for (std::size_t begin = 0; (begin = text.find_first_not_of(separators, begin)) != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(separators, begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = end;
  }
  return words;
}

inline void read_table(DistributionChoice& choice, const std::vector<std::string_view>& arguments) {
  for (const auto argument : arguments) {
    if (choice.kind == DistributionKind::empirical) {
      choice.values.push_back(parse_distribution_number(argument));
      continue;
    }
    const std::size_t colon = argument.find(':');
    if (colon == std::string_view::npos) {
      throw std::invalid_argument("'" + std::string(argument) + "' has no colon, expected value:probability");
    }
    choice.values.push_back(parse_distribution_number(argument.substr(0, colon)));
    choice.probabilities.push_back(parse_distribution_number(argument.substr(colon + 1)));
  }
}

inline void read_parameters(DistributionChoice& choice, const std::vector<std::string_view>& arguments) {
  const auto names = parameter_names(choice.kind);
  if (arguments.size() != names.size()) {
    std::string list;
    for (const auto name : names) list.append(list.empty() ? "" : ", ").append(name);
    refuse_parameter("number of parameters", std::to_string(arguments.size()),
                     std::string(name_of(choice.kind)) + "(" + list + ")");
  }
  for (std::size_t i = 0; i < arguments.size(); ++i) choice.parameters[i] = parse_distribution_number(arguments[i]);
}

}  // namespace impl

inline DistributionChoice parse_distribution(std::string_view text) {
  constexpr std::string_view blanks = " \t";
  const std::size_t open = text.find('(');
  const auto name = impl::words_of(text.substr(0, open), blanks);
  DistributionChoice choice;
  choice.kind = parse_choice<DistributionKind>(name.size() == 1 ? name[0] : text.substr(0, open));
  std::string_view inside;
  if (open != std::string_view::npos) {
    const std::size_t close = text.find(')', open);
    if (close == std::string_view::npos || text.find_first_not_of(blanks, close + 1) != std::string_view::npos) {
      throw std::invalid_argument("the parameters do not end with ')'");
    }
    inside = text.substr(open + 1, close - open - 1);
  }
  const auto arguments = impl::words_of(inside, ", \t");
  if (choice.kind == DistributionKind::discrete || choice.kind == DistributionKind::empirical) {
    impl::read_table(choice, arguments);
  } else {
    impl::read_parameters(choice, arguments);
  }
  choice.check();
  return choice;
}

inline void DistributionChoice::check() const {
  const auto [a, b, c] = parameters;
  constexpr double largest_whole = 0x1p52, largest_shape = 0x1p50, largest_mean = 0x1p50;
  switch (kind) {
    case DistributionKind::constant:
      return check_finite("value", a);
    case DistributionKind::uniform:
      return check_not_above("low", a, "high", b);
    case DistributionKind::uniform_integer:
      impl::check_whole("low", a, -largest_whole, largest_whole);
      impl::check_whole("high", b, -largest_whole, largest_whole);
      return check_not_above("low", a, "high", b);
    case DistributionKind::triangular:
      check_not_above("low", a, "mode", b);
      check_not_above("mode", b, "high", c);
      return check_below("low", a, "high", c);
    case DistributionKind::exponential:
      return check_positive("rate", a);
    case DistributionKind::erlang:
      impl::check_whole("shape", a, 1, largest_shape);
      return check_positive("rate", b);
    case DistributionKind::gamma:
    case DistributionKind::weibull:
      check_positive("shape", a);
      return check_positive("scale", b);
    case DistributionKind::lognormal:
      check_finite("log_mean", a);
      return check_non_negative("log_deviation", b);
    case DistributionKind::normal:
      check_finite("mean", a);
      return check_non_negative("deviation", b);
    case DistributionKind::geometric:
      return check_positive_probability("probability", a);
    case DistributionKind::poisson:
      return impl::check_parameter(a >= 0 && a <= largest_mean, "mean", a, "a number from 0 to 2^50");
    case DistributionKind::discrete:
      return impl::check_discrete_table(values, probabilities);
    case DistributionKind::empirical:
      return impl::check_observations(values);
  }
}

inline double DistributionChoice::mean() const {
  const auto [a, b, c] = parameters;
  switch (kind) {
    case DistributionKind::constant:
    case DistributionKind::normal:
    case DistributionKind::poisson:
      return a;
    case DistributionKind::uniform:
    case DistributionKind::uniform_integer:
      return a + (b - a) / 2;
    case DistributionKind::triangular:
      return (a + b + c) / 3;
    case DistributionKind::exponential:
      return 1 / a;
    case DistributionKind::erlang:
      return a / b;
    case DistributionKind::gamma:
      return a * b;
    case DistributionKind::weibull:
      return b * std::tgamma(1 + 1 / a);
    case DistributionKind::lognormal:
      return std::exp(a + b * b / 2);
    case DistributionKind::geometric:
      return (1 - a) / a;
    case DistributionKind::discrete: {
      double sum = 0, total = 0;
      for (std::size_t i = 0; i < values.size(); ++i) {
        sum += values[i] * probabilities[i];
        total += probabilities[i];
      }
      return sum / total;
    }
    case DistributionKind::empirical: {
      // Straight lines between neighbours: the mean of the midpoints.
      const auto [least_value, most_value] = std::minmax_element(values.begin(), values.end());
      if (values.size() == 1) return values[0];
      double sum = 0;
      for (const double value : values) sum += value;
      return (sum - (*least_value + *most_value) / 2) / static_cast<double>(values.size() - 1);
    }
  }
  return 0;
}

inline double DistributionChoice::least() const {
  switch (kind) {
    case DistributionKind::constant:
    case DistributionKind::uniform:
    case DistributionKind::uniform_integer:
    case DistributionKind::triangular:
      return parameters[0];
    case DistributionKind::normal:
      return parameters[1] > 0 ? -std::numeric_limits<double>::infinity() : parameters[0];
    case DistributionKind::discrete:
    case DistributionKind::empirical:
      return *std::min_element(values.begin(), values.end());
    default:
      return 0;
  }
}

inline std::optional<DistributionChoice> DistributionChoice::finite_table(std::int64_t most_values) const {
  const auto [low, high, unused] = parameters;
  DistributionChoice table;
  table.kind = DistributionKind::discrete;
  if (kind == DistributionKind::constant) {
    table.values = {low};
    table.probabilities = {1.0};
  } else if (kind == DistributionKind::uniform_integer && high - low < static_cast<double>(most_values)) {
    for (double value = low; value <= high; ++value) table.values.push_back(value);
    table.probabilities.assign(table.values.size(), 1 / (high - low + 1));
  } else if (kind == DistributionKind::discrete && static_cast<std::int64_t>(values.size()) <= most_values) {
    const double total = std::accumulate(probabilities.begin(), probabilities.end(), 0.0);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (probabilities[i] == 0) continue;
      table.values.push_back(values[i]);
      table.probabilities.push_back(probabilities[i] / total);
    }
  } else {
    return std::nullopt;
  }
  return table;
}

}  // namespace sporos
