// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/models/networks/network_flows.hpp>

#include <cmath>
#include <utility>

namespace sporos::models::impl {

namespace {

// Returns the numbers of customers in service if nobody waited, as averages over intervals; exact for exponential
// services.
std::vector<double> offered_load(const NetworkGrid& grid, const std::vector<double>& arrivals, double service) {
  std::vector<double> load(grid.count);
  if (service == 0) return load;
  const double decay = std::exp(-grid.length / service), share = (1 - decay) * service / grid.length;
  double now = 0;
  for (int pass = grid.repeats ? 0 : 1; pass < 2; ++pass) {
    for (std::size_t i = 0; i < grid.count; ++i) {
      const double limit = arrivals[i] * service;
      load[i] = limit + (now - limit) * share;
      now = limit + (now - limit) * decay;
    }
    // After a cycle that began with nobody, the state at the end shows that at the beginning of a repeated cycle.
    now /= 1 - std::pow(decay, static_cast<double>(grid.count));
  }
  return load;
}

// Rates of customers, one list of intervals for each pair of station and class, if nobody ever waits.
class OpenFlows {
 public:
  OpenFlows(const NetworkDescription& network, const NetworkGrid& grid)
      : m_network(network), m_grid(grid), m_rates(network.stations.size() * network.classes.size(), none()) {
    const Rates outside = from_outside();
    constexpr int most_visits = 100;  // later visits of a customer hardly count
    for (int visit = 0; visit < most_visits; ++visit) {
      Rates next = outside;
      for (std::size_t s = 0; s < network.stations.size(); ++s) {
        for (std::size_t c = 0; c < network.classes.size(); ++c) leave(s, c, next);
      }
      if (next == m_rates) break;
      m_rates = std::move(next);
    }
  }

  std::vector<StaffStream> streams() const {
    std::vector<StaffStream> found;
    for (std::size_t s = 0; s < m_network.stations.size(); ++s) {
      for (std::size_t c = 0; c < m_network.classes.size(); ++c) {
        const NetworkVisit& visit = m_network.stations[s].visits[c];
        if (!visit.service || visit.roles.empty()) continue;
        const double service = mean_service(s, c);
        found.push_back({s,
                         c,
                         {visit.roles.begin(), visit.roles.end()},
                         service,
                         m_rates[place(s, c)],
                         offered_load(m_grid, m_rates[place(s, c)], service)});
      }
    }
    return found;
  }

 private:
  using Rates = std::vector<std::vector<double>>;

  std::vector<double> none() const { return std::vector<double>(m_grid.count); }
  std::size_t place(std::size_t s, std::size_t c) const { return s * m_network.classes.size() + c; }
  double mean_service(std::size_t s, std::size_t c) const {
    return m_network.stations[s].visits[c].service->mean() / m_network.stations[s].speed;
  }

  Rates from_outside() const {
    Rates rates(m_rates.size(), none());
    for (std::size_t c = 0; c < m_network.classes.size(); ++c) {
      const NetworkClass& of = m_network.classes[c];
      std::vector<double> arrivals = none();
      for (std::size_t i = 0; i < m_grid.count; ++i) {
        const double from = m_grid.length * static_cast<double>(i);
        const double rate = of.interarrival ? 1 / of.interarrival->mean()
                                            : integral_of(of.rates, from, from + m_grid.length) / m_grid.length;
        arrivals[i] = rate * of.arrival_speed * (of.batch ? of.batch->mean() : 1);
      }
      add(of.enters, c, arrivals, rates);
    }
    return rates;
  }

  void add(const NetworkRoute& route, std::size_t c, const std::vector<double>& flow, Rates& rates) const {
    for (const NetworkBranch& branch : route) {
      const auto becomes = branch.becomes ? static_cast<std::size_t>(*branch.becomes) : c;
      for (const int to : branch.to) {
        std::vector<double>& sum = rates[place(static_cast<std::size_t>(to), becomes)];
        const double share = branch.probability / static_cast<double>(branch.to.size());
        for (std::size_t i = 0; i < m_grid.count; ++i) sum[i] += share * flow[i];
      }
    }
  }

  void leave(std::size_t s, std::size_t c, Rates& rates) const {
    const NetworkVisit& visit = m_network.stations[s].visits[c];
    if (!visit.service || visit.next.empty()) return;
    const double service = mean_service(s, c);
    std::vector<double> flow = m_rates[place(s, c)];
    if (service > 0) {
      flow = offered_load(m_grid, flow, service);
      for (double& rate : flow) rate /= service;
    }
    add(visit.next, c, flow, rates);
  }

  const NetworkDescription& m_network;
  const NetworkGrid& m_grid;
  Rates m_rates;
};

}  // namespace

std::vector<StaffStream> staff_streams(const NetworkDescription& network, const NetworkGrid& grid) {
  return OpenFlows(network, grid).streams();
}

}  // namespace sporos::models::impl
