// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/backend/tasks.hpp>
#include <sporos/runtime/samples/task.hpp>

#include <sporos/core/replication/sample_points.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace sporos::runtime {

namespace {

std::vector<double> sampled_points(const PointRequest& request) {
  const SPOROS_BACKEND space;
  const auto range = points_of_set(request.source, request.set, {request.first, request.count});
  const Mapping mapping = request.mapping == Mapping::warp ? Mapping::warp : Mapping::thread;
  const auto points = sample_points(space, request.source, request.seed, range, request.dimensions, mapping);
  space.fence();
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), points);
  std::vector<double> numbers;
  numbers.reserve(host.size());
  for (std::size_t point = 0; point < host.extent(0); ++point) {
    for (std::size_t i = 0; i < host.extent(1); ++i) numbers.push_back(host(point, i));
  }
  return numbers;
}

}  // namespace

template <>
std::any task_runner<PointRequest>() {
  return &sampled_points;
}

}  // namespace sporos::runtime
