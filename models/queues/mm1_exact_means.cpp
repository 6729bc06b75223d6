// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/models/queues/mm1_exact_means.hpp>

#include <boost/math/distributions/negative_binomial.hpp>
#include <boost/math/distributions/poisson.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace sporos::models {

namespace {

// An M/M/1 queue at the jumps of a Poisson process of rate λ + μ. Each jump is an arrival with probability p = λ / (λ +
// μ), else the end of a service, which has no effect if nobody is served. After k jumps, the object stores for each
// number n of arrivals among them
//
//     probability(n) = P(N = n),  number(n) = E[X; N = n],  waits(n) = E[sum of the n waits; N = n],
//
// where X is the number in the system. A customer who finds x customers in the system waits x/μ on average, whatever
// arrives later. Given n, all orders of arrivals and services are equally likely. By the ballot theorem, the system is
// empty with probability (d + 1 − n)/(d + 1), where d = k − n is the number of services, if n <= d, and 0 otherwise.
class MM1Jumps {
 public:
  MM1Jumps(double arrival_share, double mean_service) : m_arrival_share(arrival_share), m_mean_service(mean_service) {}

  double probability_of_empty() const {
    double sum = 0;
    for (std::size_t n = m_min; n <= m_max; ++n) sum += m_now.probability[n] * empty_given(n);
    return sum;
  }

  double mean_number() const {
    double sum = 0;
    for (std::size_t n = m_min; n <= m_max; ++n) sum += m_now.number[n];
    return sum;
  }

  // Returns E[sum of the waits / N; N >= 1].
  double mean_wait() const {
    double sum = 0;
    for (std::size_t n = std::max<std::size_t>(m_min, 1); n <= m_max; ++n) {
      sum += m_now.waits[n] / static_cast<double>(n);
    }
    return sum;
  }

  // Adds one jump.
  void jump() {
    const double arrives = m_arrival_share, serves = 1 - m_arrival_share;
    m_now.resize(m_max + 2);
    m_next.resize(m_max + 2);
    for (std::size_t n = m_min; n <= m_max + 1; ++n) {
      // Number left in the system after one more service, for the states with n arrivals.
      const double served = m_now.number[n] - m_now.probability[n] * (1 - empty_given(n));
      m_next.probability[n] = serves * m_now.probability[n];
      m_next.number[n] = serves * served;
      m_next.waits[n] = serves * m_now.waits[n];
    }
    for (std::size_t n = m_min; n <= m_max; ++n) {
      m_next.probability[n + 1] += arrives * m_now.probability[n];
      m_next.number[n + 1] += arrives * (m_now.number[n] + m_now.probability[n]);
      m_next.waits[n + 1] += arrives * (m_now.waits[n] + m_now.number[n] * m_mean_service);
    }
    std::swap(m_now, m_next);
    ++m_jumps;
    ++m_max;
    leave_out_the_improbable();
  }

 private:
  struct States {
    std::vector<double> probability{1.0}, number{0.0}, waits{0.0};

    void resize(std::size_t size) {
      for (auto* of : {&probability, &number, &waits}) of->resize(size, 0.0);
    }
    void clear(std::size_t n) {
      for (auto* of : {&probability, &number, &waits}) (*of)[n] = 0;
    }
  };

  double empty_given(std::size_t arrivals) const {
    const auto n = static_cast<double>(arrivals), services = static_cast<double>(m_jumps) - n;
    return n <= services ? (services + 1 - n) / (services + 1) : 0.0;
  }

  void leave_out_the_improbable() {
    constexpr double improbable = 1e-25;
    while (m_now.probability[m_min] < improbable) m_now.clear(m_min++);
    while (m_now.probability[m_max] < improbable) m_now.clear(m_max--);
  }

  double m_arrival_share, m_mean_service;
  std::size_t m_jumps = 0, m_min = 0, m_max = 0;  // smallest and largest number of arrivals considered
  States m_now, m_next;
};

}  // namespace

// By Spitzer's identity, the mean wait of customer n is the sum of E[max(0, S_j)] / j over j < n, where S_j is a sum of
// j services minus j interarrival times. In the merged Poisson process of arrivals and services, S_j is positive if j
// arrivals come before j services, say after m < j of them. Then j − m services of mean 1/μ are left.
std::optional<MM1Means> mm1_means_of_customers(double arrival_rate, double service_rate, std::int64_t customers) {
  const double share = arrival_rate / (arrival_rate + service_rate);  // probability of an arrival in the merged process
  const auto mean_excess = [&](std::int64_t j) {
    const auto n = static_cast<double>(j);
    const boost::math::negative_binomial before(n, share), one_more(n + 1, share);
    // Σ (j − m) P_j(m) over m < j, with m P_j(m) = j (1 − share)/share P_{j+1}(m − 1).
    const double below = n * boost::math::cdf(before, n - 1);
    const double shift = j < 2 ? 0.0 : n * (1 - share) / share * boost::math::cdf(one_more, n - 2);
    return (below - shift) / service_rate;
  };
  double wait = 0, total_wait = 0;
  for (std::int64_t customer = 0; customer < customers; ++customer) {
    if (customer == 1'000'000) return std::nullopt;
    if (customer > 0) {
      const double added = mean_excess(customer) / static_cast<double>(customer);
      wait += added;
      if (added < 1e-17 * wait) {  // in equilibrium for the rest of the replication
        total_wait += wait * static_cast<double>(customers - customer);
        break;
      }
    }
    total_wait += wait;
  }
  const auto n = static_cast<double>(customers);
  // The arrival time of the last customer plus its wait equals all services before it plus all idle time.
  const double idle = n / arrival_rate + wait - (n - 1) / service_rate;
  return MM1Means{total_wait / n, total_wait / n + 1 / service_rate, idle, total_wait / (idle + n / service_rate)};
}

std::optional<MM1Means> mm1_means_until(double arrival_rate, double service_rate, double horizon) {
  const double rate = arrival_rate + service_rate, mean_jumps = rate * horizon;
  constexpr double max_jumps = 40000;
  if (!(mean_jumps <= max_jumps) || !(mean_jumps > 0)) return std::nullopt;

  const boost::math::poisson jumps(mean_jumps);
  const auto end = static_cast<std::size_t>(mean_jumps + 12 * std::sqrt(mean_jumps) + 60);
  std::vector<double> exactly(end), more(end);  // probabilities of exactly k jumps and of more than k
  for (std::size_t k = 0; k < end; ++k) exactly[k] = boost::math::pdf(jumps, static_cast<double>(k));
  for (std::size_t k = end - 1; k > 0; --k) more[k - 1] = more[k] + exactly[k];

  constexpr double negligible = 1e-22;
  MM1Jumps queue(arrival_rate / rate, 1 / service_rate);
  MM1Means means{};
  for (std::size_t k = 0;; ++k) {
    const double empty = queue.probability_of_empty();
    means.idle_time += more[k] * empty / rate;
    means.queue_length += more[k] * (queue.mean_number() - (1 - empty)) / mean_jumps;
    if (exactly[k] > negligible) means.time_in_queue += exactly[k] * queue.mean_wait();
    if (k + 1 == end) break;
    queue.jump();
  }
  means.time_in_system = means.time_in_queue - std::expm1(-arrival_rate * horizon) / service_rate;
  return means;
}

}  // namespace sporos::models
