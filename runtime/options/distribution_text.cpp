// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/options/distribution_text.hpp>

#include <sporos/core/io/format.hpp>

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

}  // namespace sporos::runtime
