// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/sampling/sampling.hpp>

namespace sporos {

bool goes_on(Sampling sampling) {
  return impl::Samplings::visit(sampling, []<class S>(std::type_identity<S>) { return S::goes_on; });
}

bool is_unbiased(Sampling sampling) {
  return impl::Samplings::visit(sampling, []<class S>(std::type_identity<S>) { return S::is_unbiased; });
}

std::int64_t max_dimensions(Sampling sampling) {
  return impl::Samplings::visit(sampling, []<class S>(std::type_identity<S>) {
    if constexpr (requires { S::max_dimensions; }) return S::max_dimensions;
    return std::int64_t{1} << 32;
  });
}

namespace impl {

std::vector<std::uint32_t> sampling_table(Sampling sampling, std::int64_t dimensions) {
  return Samplings::visit(sampling, [&]<class S>(std::type_identity<S>) {
    std::vector<std::uint32_t> table;
    if constexpr (requires { S::table(dimensions); }) table = S::table(dimensions);
    return table;
  });
}

}  // namespace impl

}  // namespace sporos
