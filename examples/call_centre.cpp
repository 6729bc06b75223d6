// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An event-driven model: callers wait for one of 10 agents and hang up when their patience ends. The exact share who
// hang up is 6.84 % (Erlang A).
#include <sporos/core/distributions/continuous.hpp>
#include <sporos/core/events/calendar.hpp>
#include <sporos/core/events/entity_pool.hpp>
#include <sporos/core/events/resource.hpp>
#include <sporos/core/events/tally.hpp>
#include <sporos/core/replication/experiment.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cstdint>
#include <cstdio>

struct CallCentre {
  double arrival_rate, service_rate, patience_rate;  // in a minute
  std::int64_t agents;
  double minutes;

  enum Input { interarrival, service, patience, input_count };
  static constexpr auto response_names = std::array{"share who hang up", "mean wait of those served", "utilization"};
  static constexpr auto event_names = std::array{"call", "end of service", "hangs up"};

  // Kind of an event, and the caller whom it concerns.
  struct Event {
    enum Kind { call, end_of_service, hangs_up } kind;
    int entity;
  };
  struct Caller {
    double arrival;
    sporos::Ticket patience_ends;
  };

  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 3> operator()(Inputs& inputs) const {
    sporos::Calendar<Event, 1024> calendar;
    sporos::EntityPool<Caller, 1024> callers;
    sporos::Line line;
    sporos::Resource busy(static_cast<double>(agents));
    sporos::Tally waits;
    std::int64_t calls = 0, lost = 0;

    const auto after = [&](int input, double rate) {
      return calendar.now() + sporos::exponential(inputs(input), rate);
    };
    const auto serve = [&](int caller) {
      waits.add(calendar.now() - callers[caller].arrival);
      calendar.schedule(after(service, service_rate), {Event::end_of_service, caller});
    };
    calendar.schedule(after(interarrival, arrival_rate), {Event::call, -1});
    while (calendar.next(inputs) && calendar.now() < minutes) {
      const auto [kind, entity] = calendar.event();
      if (kind == Event::call) {
        ++calls;
        calendar.schedule(after(interarrival, arrival_rate), {Event::call, -1});
        const int caller = callers.add({calendar.now(), {}});
        if (caller < 0) break;  // no room: the replication fails
        if (busy.try_seize(calendar.now())) {
          serve(caller);
        } else {
          callers.push_back(line, caller);
          callers[caller].patience_ends = calendar.schedule(after(patience, patience_rate), {Event::hangs_up, caller});
        }
      } else if (kind == Event::hangs_up) {
        ++lost;
        callers.take_out(line, entity);
        callers.remove(entity);
      } else {
        callers.remove(entity);
        if (line.size > 0) {
          const int next = callers.pop_front(line);
          calendar.cancel(callers[next].patience_ends);
          serve(next);
        } else {
          busy.release(calendar.now());
        }
      }
    }
    return sporos::responses_unless_failed<3>(
        {{static_cast<double>(lost) / static_cast<double>(calls), waits.mean(), busy.utilization(calendar.now())}},
        calendar, callers);
  }
};

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  sporos::Plan plan;
  plan.replications = 512;
  const CallCentre centre{2.0, 0.25, 0.5, 10, 5000};
  const auto result = sporos::simulate(Kokkos::DefaultExecutionSpace(), centre, plan);
  for (const auto& response : result.responses) {
    std::printf("%s: %.4f +- %.4f\n", response.name.c_str(), response.mean, response.half_width);
  }
}
