// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/beta.hpp>
#include <sporos/core/distributions/continuous.hpp>
#include <sporos/core/distributions/counts.hpp>
#include <sporos/core/distributions/gamma.hpp>
#include <sporos/core/distributions/johnson.hpp>
#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/distributions/phase_type.hpp>
#include <sporos/core/distributions/power_tails.hpp>
#include <sporos/core/distributions/tables.hpp>
#include <sporos/core/distributions/trials.hpp>
#include <sporos/core/distributions/truncated.hpp>
#include <sporos/core/execution/choice.hpp>
#include <sporos/core/execution/typed_choices.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <vector>

namespace sporos {

/// Kind of distribution, for choices at run time. Each except `constant` is named after its variate function.
enum class DistributionKind {
  constant,           ///< always the same number
  uniform,            ///< `uniform`
  uniform_integer,    ///< `uniform_integer`
  triangular,         ///< `triangular`
  exponential,        ///< `exponential`
  erlang,             ///< `erlang`
  gamma,              ///< `gamma`
  weibull,            ///< `weibull`
  lognormal,          ///< `lognormal`
  normal,             ///< `normal`
  geometric,          ///< `geometric`
  poisson,            ///< `poisson`
  discrete,           ///< `discrete`
  empirical,          ///< `empirical`
  beta,               ///< `beta`
  student,            ///< `student`
  pareto,             ///< `pareto`
  log_logistic,       ///< `log_logistic`
  burr,               ///< `burr`
  johnson_su,         ///< `johnson_su`
  johnson_sb,         ///< `johnson_sb`
  truncated_normal,   ///< `truncated_normal`
  binomial,           ///< `binomial`
  negative_binomial,  ///< `negative_binomial`
  hypergeometric,     ///< `hypergeometric`
  hyperexponential    ///< `hyperexponential`
};

namespace impl {

/// Every family of distributions that can be chosen at run time. A family has
///   - parameter_names, at most four; check(parameters...), which throws std::invalid_argument; mean(parameters...);
///     least(parameters...), the lower end of the values, if that is not 0; and variate(u, parameters...), for kernels;
///   - or, if it is a table, has_probabilities: whether each value comes with a probability; check and mean of the
///     values and the probabilities; and variate(u, table).
using Families =
    TypedChoices<TypedChoice<"constant", DistributionKind::constant, ConstantFamily>,
                 TypedChoice<"uniform", DistributionKind::uniform, UniformFamily>,
                 TypedChoice<"uniform-integer", DistributionKind::uniform_integer, UniformIntegerFamily>,
                 TypedChoice<"triangular", DistributionKind::triangular, TriangularFamily>,
                 TypedChoice<"exponential", DistributionKind::exponential, ExponentialFamily>,
                 TypedChoice<"erlang", DistributionKind::erlang, ErlangFamily>,
                 TypedChoice<"gamma", DistributionKind::gamma, GammaFamily>,
                 TypedChoice<"weibull", DistributionKind::weibull, WeibullFamily>,
                 TypedChoice<"lognormal", DistributionKind::lognormal, LognormalFamily>,
                 TypedChoice<"normal", DistributionKind::normal, NormalFamily>,
                 TypedChoice<"geometric", DistributionKind::geometric, GeometricFamily>,
                 TypedChoice<"poisson", DistributionKind::poisson, PoissonFamily>,
                 TypedChoice<"discrete", DistributionKind::discrete, DiscreteFamily>,
                 TypedChoice<"empirical", DistributionKind::empirical, EmpiricalFamily>,
                 TypedChoice<"beta", DistributionKind::beta, BetaFamily>,
                 TypedChoice<"student", DistributionKind::student, StudentFamily>,
                 TypedChoice<"pareto", DistributionKind::pareto, ParetoFamily>,
                 TypedChoice<"log-logistic", DistributionKind::log_logistic, LogLogisticFamily>,
                 TypedChoice<"burr", DistributionKind::burr, BurrFamily>,
                 TypedChoice<"johnson-su", DistributionKind::johnson_su, JohnsonSuFamily>,
                 TypedChoice<"johnson-sb", DistributionKind::johnson_sb, JohnsonSbFamily>,
                 TypedChoice<"truncated-normal", DistributionKind::truncated_normal, TruncatedNormalFamily>,
                 TypedChoice<"binomial", DistributionKind::binomial, BinomialFamily>,
                 TypedChoice<"negative-binomial", DistributionKind::negative_binomial, NegativeBinomialFamily>,
                 TypedChoice<"hypergeometric", DistributionKind::hypergeometric, HypergeometricFamily>,
                 TypedChoice<"hyperexponential", DistributionKind::hyperexponential, HyperexponentialFamily>>;

template <class Family>
concept TableFamily = requires {
  Family::has_probabilities;
};

// Lower end of a family's values.
template <class Family, class... Parameters>
double min_value(Parameters... parameters) {
  if constexpr (requires { Family::least(parameters...); }) return Family::least(parameters...);
  return 0.0;
}

}  // namespace impl

/// Names of the distributions.
template <>
struct ChoiceNames<DistributionKind> {
  static constexpr std::string_view what = "distribution";  ///< name of the choice
  static constexpr auto values = impl::Families::names;     ///< name and value of each distribution
};

/// A distribution that is chosen at run time, for the host.
struct DistributionChoice {
  DistributionKind kind = DistributionKind::constant;  ///< kind of the distribution
  std::array<double, 4> parameters{};                  ///< parameters in the order of the distribution's function
  std::vector<double> values;                          ///< values of `discrete`, observations of `empirical`
  std::vector<double> probabilities;                   ///< probabilities of `discrete`

  /// Throws std::invalid_argument if the parameters do not define a distribution.
  void check() const;

  /// Mean of the distribution: infinite if a tail is too heavy, NaN if both tails are.
  double mean() const;

  /// Lower end of the possible values; minus infinity for distributions without one, such as the normal.
  double least() const;

  /// Table of the values and their probabilities for `constant`, `uniform_integer` and `discrete` distributions with at
  /// most `max_values` values; std::nullopt for all others.
  std::optional<DistributionChoice> finite_table(std::int64_t max_values) const;
};

/// Parses a distribution: a name and, in parentheses, its parameters, separated by commas or blanks. Throws
/// std::invalid_argument, whose message lists the valid names or the expected parameters.
///
///     constant(value)                uniform(low, high)           uniform-integer(low, high)
///     triangular(low, mode, high)    exponential(rate)            erlang(shape, rate)
///     gamma(shape, scale)            weibull(shape, scale)        lognormal(log_mean, log_deviation)
///     normal(mean, deviation)        geometric(probability)       poisson(mean)
///     discrete(value:probability, value:probability, ...)         empirical(observation, observation, ...)
///     beta(alpha, beta)              student(degrees, location, scale)      pareto(shape, scale)
///     log-logistic(shape, scale)     burr(shape, tail, scale)               binomial(trials, probability)
///     negative-binomial(successes, probability)                hypergeometric(population, marked, drawn)
///     johnson-su(gamma, delta, location, scale)                johnson-sb(gamma, delta, location, scale)
///     truncated-normal(mean, deviation, low, high)             hyperexponential(probability, rate, other_rate)
inline DistributionChoice parse_distribution(std::string_view text);

namespace impl {

// Returns `function` of the parameters of a family that is not a table.
template <class Family, class Function>
auto with_parameters(const std::array<double, 4>& parameters, const Function& function) {
  const auto [a, b, c, d] = parameters;
  constexpr std::size_t count = Family::parameter_names.size();
  if constexpr (count == 1) {
    return function(a);
  } else if constexpr (count == 2) {
    return function(a, b);
  } else if constexpr (count == 3) {
    return function(a, b, c);
  } else {
    return function(a, b, c, d);
  }
}

inline double parse_distribution_number(std::string_view text) {
  double number = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || stop != text.data() + text.size() || error != std::errc()) {
    throw std::invalid_argument("'" + std::string(text) + "' is not a number");
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

inline void read_table(DistributionChoice& choice, bool has_probabilities,
                       const std::vector<std::string_view>& arguments) {
  for (const auto argument : arguments) {
    if (!has_probabilities) {
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

inline void read_parameters(DistributionChoice& choice, std::span<const std::string_view> names,
                            const std::vector<std::string_view>& arguments) {
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
  impl::Families::visit(choice.kind, [&]<class Family>(std::type_identity<Family>) {
    if constexpr (impl::TableFamily<Family>) {
      impl::read_table(choice, Family::has_probabilities, arguments);
    } else {
      impl::read_parameters(choice, Family::parameter_names, arguments);
    }
  });
  choice.check();
  return choice;
}

inline void DistributionChoice::check() const {
  impl::Families::visit(kind, [&]<class Family>(std::type_identity<Family>) {
    if constexpr (impl::TableFamily<Family>) {
      Family::check(values, probabilities);
    } else {
      impl::with_parameters<Family>(parameters, [](auto... parameter) { Family::check(parameter...); });
    }
  });
}

inline double DistributionChoice::mean() const {
  return impl::Families::visit(kind, [&]<class Family>(std::type_identity<Family>) {
    if constexpr (impl::TableFamily<Family>) {
      return Family::mean(values, probabilities);
    } else {
      return impl::with_parameters<Family>(parameters, [](auto... parameter) { return Family::mean(parameter...); });
    }
  });
}

inline double DistributionChoice::least() const {
  return impl::Families::visit(kind, [&]<class Family>(std::type_identity<Family>) {
    if constexpr (impl::TableFamily<Family>) {
      return *std::min_element(values.begin(), values.end());
    } else {
      return impl::with_parameters<Family>(parameters,
                                           [](auto... parameter) { return impl::min_value<Family>(parameter...); });
    }
  });
}

inline std::optional<DistributionChoice> DistributionChoice::finite_table(std::int64_t max_values) const {
  const double low = parameters[0], high = parameters[1];
  DistributionChoice table;
  table.kind = DistributionKind::discrete;
  if (kind == DistributionKind::constant) {
    table.values = {low};
    table.probabilities = {1.0};
  } else if (kind == DistributionKind::uniform_integer && high - low < static_cast<double>(max_values)) {
    for (double value = low; value <= high; ++value) table.values.push_back(value);
    table.probabilities.assign(table.values.size(), 1 / (high - low + 1));
  } else if (kind == DistributionKind::discrete && static_cast<std::int64_t>(values.size()) <= max_values) {
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
