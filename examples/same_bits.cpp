// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The M/M/c/k queue of Cheng (2014), Massively parallel programming in statistical optimization & simulation, on every
// backend of this Kokkos, under both mappings. Every row has the same digest of the bits of all replications.
//
//   example_same_bits [--full] [--replications N]        --full: 50 000 customers per replication, as in the paper
#include <sporos/core/replication/experiment.hpp>
#include <sporos/models/queues/mmck.hpp>

#include <Kokkos_Core.hpp>

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>

namespace {

using namespace sporos;

struct Settings {
  models::MMCK queue{4.0, 1.0, 3, 5, 2000};
  Plan plan;
};

Settings settings_from(int argc, char** argv) {
  Settings settings;
  settings.plan.replications = 7168;
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    if (option == "--full") {
      settings.queue.customers = 50000;
    } else if (option == "--replications" && i + 1 < argc) {
      settings.plan.replications = std::atoll(argv[++i]);
    } else {
      std::fprintf(stderr, "example_same_bits: unknown option '%s', expected --full or --replications N\n", argv[i]);
      std::exit(2);
    }
  }
  return settings;
}

template <class Space>
std::uint64_t print_row(const Space& space, Mapping mapping, Settings settings) {
  const auto& queue = settings.queue;
  settings.plan.mapping = mapping;
  const Kokkos::Timer timer;
  const PointResult result = simulate(space, queue, settings.plan);
  const double seconds = timer.seconds();
  const ResponseEstimate& number = result.responses[0];
  // Every customer arrives; those who enter also leave.
  const double events =
      static_cast<double>(result.replications) * static_cast<double>(queue.customers) * (2 - *queue.exact_means()[1]);
  std::printf("%-8s %-8s %7d %10.5f %14.5f %9.3f %10.3g   %016" PRIx64 "\n", backend_name<Space>().data(),
              name_of(mapping).data(), static_cast<int>(space.concurrency()), number.mean, number.half_width, seconds,
              events / seconds, result.digest);
  return result.digest;
}

}  // namespace

int main(int argc, char** argv) {
  const Settings settings = settings_from(argc, argv);
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const auto& queue = settings.queue;
  std::printf("M/M/c/k queue: arrival rate %g, service rate %g, %d servers, room for %d;\n", queue.arrival_rate,
              queue.service_rate, static_cast<int>(queue.servers), static_cast<int>(queue.capacity));
  std::printf("%" PRId64 " replications of %" PRId64 " customers, seed %" PRIu64 "\n", settings.plan.replications,
              queue.customers, settings.plan.seed);
  std::printf("Mean number in system, exactly: %.8f\n\n", *queue.exact_means()[0]);
  std::printf("%-8s %-8s %7s %10s %14s %9s %10s   %s\n", "backend", "mapping", "threads", "mean", "95% half-width",
              "seconds", "events/s", "digest of all bits");
  std::set<std::uint64_t> digests;
  for_each_backend([&]<class Space>(const Space& space) {
    digests.insert(print_row(space, Mapping::thread, settings));
    digests.insert(print_row(space, Mapping::warp, settings));
  });
  std::printf("\n%s\n", digests.size() == 1 ? "One digest: the same bits in all rows." : "THE DIGESTS DIFFER.");
  return digests.size() == 1 ? 0 : 1;
}
