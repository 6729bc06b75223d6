// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/options/distribution_text.hpp>

#include <sporos/core/distributions/continuous.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/math/normal_quantiles.hpp>
#include <sporos/core/sampling/standard_variates.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <type_traits>

namespace sporos::runtime {

DistributionChoice distribution_of(const std::string& text, std::string_view complaint) {
  DistributionChoice choice;
  try {
    choice = parse_distribution(text);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("{}: {}", complaint, error.what()));
  }
  if (choice.kind == DistributionKind::discrete || choice.kind == DistributionKind::empirical)
    throw std::invalid_argument(fmt::format("{}, expected a distribution without a table of values", complaint));
  return choice;
}

double quantile_of(const DistributionChoice& distribution, double u) {
  using sporos::impl::Families, sporos::impl::TableFamily, sporos::impl::with_parameters;
  return Families::visit(distribution.kind, [&]<class Family>(std::type_identity<Family>) {
    if constexpr (TableFamily<Family>) {
      return std::nan("");
    } else {
      return with_parameters<Family>(distribution.parameters, [&](auto... parameter) {
        return static_cast<double>(Family::variate(u, parameter...));
      });
    }
  });
}

namespace {

// A draw whose standard normal variate is known.
struct NormalDraw {
  double variate;

  template <class Form>
      double as() && requires(std::is_same_v<Form, StandardNormal> || std::is_same_v<Form, StandardUniform>) {
    return variate;
  }
};

}  // namespace

void replace_by_quantiles(const DistributionChoice& distribution, std::span<double> probabilities) {
  const bool is_lognormal = distribution.kind == DistributionKind::lognormal;
  const auto is_in_range = [](double u) { return u >= 0x1p-54 && u <= 1 - 0x1p-53; };
  if ((!is_lognormal && distribution.kind != DistributionKind::normal) ||
      !std::ranges::all_of(probabilities, is_in_range)) {
    for (double& u : probabilities) u = quantile_of(distribution, u);
    return;
  }
  math::replace_by_normal_quantiles(probabilities.data(), static_cast<int>(probabilities.size()));
  const double mean = distribution.parameters[0], deviation = distribution.parameters[1];
  for (double& z : probabilities)
    z = is_lognormal ? lognormal(NormalDraw{z}, mean, deviation) : normal(NormalDraw{z}, mean, deviation);
}

}  // namespace sporos::runtime
