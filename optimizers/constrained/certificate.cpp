// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/statistics/critical_values.hpp>
#include <sporos/optimizers/checks.hpp>
#include <sporos/optimizers/constrained/certificate.hpp>
#include <sporos/optimizers/constrained/lagrangian_problem.hpp>
#include <sporos/optimizers/constrained/scaled_gradients.hpp>
#include <sporos/optimizers/search/replication_numbers.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>

namespace sporos {

namespace {

void check(const SampledProblem& problem, const std::vector<double>& x, const CertificateOptions& options) {
  impl::check_dimension("point", static_cast<std::int64_t>(x.size()), static_cast<std::int64_t>(problem.dimension()));
  impl::check_parameter(options.batches >= 2, "number of batches", options.batches, "at least 2");
  impl::check_parameter(options.replications >= 2, "replications of a batch", options.replications, "at least 2");
  impl::check_parameter(options.confidence > 0 && options.confidence < 1, "confidence", options.confidence,
                        "a number between 0 and 1");
  impl::check_parameter(options.skipped >= 0, "number of skipped batches", options.skipped, "at least 0");
  if (problem.constraints_on_means() == 0)
    throw std::invalid_argument("the problem has no constraint on means, expected at least one");
}

// Gradients without the coordinates at a bound, whose derivatives may have any value.
class FreeGradients {
 public:
  FreeGradients(const SampledProblem& problem, const std::vector<double>& x) : m_scales(x) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      const auto& [low, high, is_integer] = problem.bounds()[i];
      const double near = 1e-6 * m_scales.scale(i);
      m_is_free.push_back(x[i] - low > near && high - x[i] > near);
    }
  }

  double dot(const std::vector<double>& a, const std::vector<double>& b) const {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (m_is_free[i]) sum += a[i] * b[i] * m_scales.scale(i) * m_scales.scale(i);
    }
    return sum;
  }

 private:
  impl::ScaledGradients m_scales;
  std::vector<bool> m_is_free;
};

// Indices of the constraints that may be active at a point, the nearest to its limit first. The others are inside their
// limits by more than `far`, in units of coordinates' scales, with the confidence of their bounds.
std::vector<std::size_t> binding_constraints(const FreeGradients& gradients, const SampleMean& at,
                                             const std::vector<CertifiedConstraint>& bounds) {
  constexpr double far = 0.1;
  std::vector<std::size_t> places;
  std::vector<double> excesses(bounds.size());
  for (std::size_t j = 0; j < bounds.size(); ++j) {
    const std::vector<double>& of_j = at.constraints[j].gradient;
    const double size = std::sqrt(gradients.dot(of_j, of_j));
    if (!(size > 0) || bounds[j].upper < -far * size) continue;
    excesses[j] = bounds[j].mean / size;
    places.push_back(j);
  }
  std::ranges::stable_sort(places, std::greater(), [&](std::size_t j) { return excesses[j]; });
  return places;
}

// The multipliers of the `binding` constraints before they are clipped at 0: each minimizes the sum of squares with the
// others fixed. They are computed one by one (Gauss–Seidel, which converges for this convex problem). If gradients are
// collinear, the first constraint gets the whole multiplier.
std::vector<double> multipliers_of(const FreeGradients& gradients, const SampleMean& at,
                                   const std::vector<std::size_t>& binding) {
  std::vector<double> lambda(at.constraints.size());
  for (int sweep = 0; sweep < 1000; ++sweep) {
    double change = 0, size = 0;
    for (const std::size_t j : binding) {
      const std::vector<double>& of_j = at.constraints[j].gradient;
      double pull = -gradients.dot(of_j, at.gradient);
      for (const std::size_t k : binding)
        pull -= k == j ? 0 : std::max(0.0, lambda[k]) * gradients.dot(of_j, at.constraints[k].gradient);
      const double square = gradients.dot(of_j, of_j), next = square > 0 ? pull / square : 0;
      change = std::max(change, std::abs(next - lambda[j]));
      size = std::max(size, std::abs(next));
      lambda[j] = next;
    }
    if (change <= 1e-12 * size) break;
  }
  return lambda;
}

// Estimates the problem at x from all batches but one, or from all.
SampleMean estimate_without(const SampledProblem& problem, const std::vector<double>& x,
                            const std::vector<SampleMoments>& batches, std::optional<std::size_t> left_out) {
  SampleMoments all;
  for (std::size_t b = 0; b < batches.size(); ++b) {
    if (b != left_out) all.add(batches[b]);
  }
  return problem.estimate(x, std::move(all));
}

void set_multipliers(std::vector<CertifiedConstraint>& constraints, double multiplier) {
  for (CertifiedConstraint& constraint : constraints)
    constraint.multiplier = constraint.multiplier_half_width = multiplier;
}

// Estimates the multipliers from all batches, with Student's intervals of the jackknife's pseudo-values.
void estimate_multipliers(const SampledProblem& problem, const std::vector<double>& x,
                          const std::vector<SampleMoments>& batches, double confidence,
                          std::vector<CertifiedConstraint>& constraints) {
  constexpr double of_rounding = 1e-9;  // least squares are solved to fewer digits than a double has
  const SampleMean all = estimate_without(problem, x, batches, std::nullopt);
  set_multipliers(constraints, all.count > 0 ? 0 : std::numeric_limits<double>::quiet_NaN());
  if (all.count == 0) return;  // a derivative is not finite
  const FreeGradients gradients(problem, x);
  const std::vector<std::size_t> binding = binding_constraints(gradients, all, constraints);
  const std::vector<double> of_all = multipliers_of(gradients, all, binding);
  const auto count = static_cast<double>(batches.size());
  std::vector<std::vector<double>> pseudo_values;
  for (std::size_t b = 0; b < batches.size(); ++b) {
    const SampleMean others = estimate_without(problem, x, batches, b);
    std::vector<double>& values = pseudo_values.emplace_back(multipliers_of(gradients, others, binding));
    for (const std::size_t j : binding) values[j] = count * of_all[j] - (count - 1) * values[j];
  }
  for (const std::size_t j : binding) {
    double mean = 0, squares = 0;
    for (const auto& values : pseudo_values) mean += values[j] / count;
    for (const auto& values : pseudo_values) squares += (values[j] - mean) * (values[j] - mean);
    const double error =
        student_t(confidence, static_cast<std::int64_t>(batches.size())) * std::sqrt(squares / (count - 1) / count);
    constraints[j].multiplier = std::max(0.0, mean);
    constraints[j].multiplier_half_width = error + of_rounding * std::abs(mean);
  }
}

// Computes the certificate of x from batches at x.
Certificate certificate_by(const SampledProblem& problem, const std::vector<double>& x,
                           const std::vector<SampleMoments>& moments, const CertificateOptions& options) {
  if (std::ranges::any_of(moments, [](const SampleMoments& batch) { return batch.count == 0; }))
    throw std::runtime_error("the point to certify is infeasible: the model or its replications fail there");
  Certificate found{certified_bounds(problem, x, moments, options.confidence), 0};
  const bool has_gradient = problem.has_gradient();
  for (const SampleMoments& batch : moments)
    found.replications += batch.count * (has_gradient ? problem.gradient_cost() : 1);
  if (has_gradient) {
    estimate_multipliers(problem, x, moments, options.confidence, found.constraints);
  } else {
    set_multipliers(found.constraints, std::numeric_limits<double>::quiet_NaN());
  }
  return found;
}

// Largest lower bound of a violation, in units of the constraint's size: its largest upper bound over all points.
double min_violation(const Certificate& certificate, const std::vector<double>& sizes) {
  double worst = 0;
  for (std::size_t j = 0; j < sizes.size(); ++j) {
    if (sizes[j] > 0) worst = std::max(worst, certificate.constraints[j].lower / sizes[j]);
  }
  return worst;
}

}  // namespace

Feasibility Certificate::feasibility() const {
  if (std::ranges::any_of(constraints, [](const CertifiedConstraint& c) { return c.lower > 0; }))
    return Feasibility::infeasible;
  if (std::ranges::all_of(constraints, [](const CertifiedConstraint& c) { return c.upper <= 0; }))
    return Feasibility::feasible;
  return Feasibility::undecided;
}

std::vector<CertifiedConstraint> certified_bounds(const SampledProblem& problem, const std::vector<double>& x,
                                                  const std::vector<SampleMoments>& batches, double confidence) {
  const std::size_t m = problem.constraints_on_means();
  std::vector<CertifiedConstraint> found;
  for (std::size_t j = 0; j < m; ++j) {
    const auto [mean, lower, upper, are_identical] =
        problem.constraint_bounds(j, x, batches, 1 - (1 - confidence) / static_cast<double>(m));
    found.push_back({mean, lower, upper, 0, 0, are_identical});
  }
  return found;
}

std::vector<Certificate> certificates(SampledProblem& problem, const std::vector<std::vector<double>>& points,
                                      const CertificateOptions& options) {
  constexpr std::int64_t replications_of_call = 1 << 22;
  for (const std::vector<double>& x : points) check(problem, x, options);
  const auto of_call = static_cast<std::size_t>(
      std::max<std::int64_t>(replications_of_call / (options.batches * options.replications), 1));
  const auto batches = static_cast<std::ptrdiff_t>(options.batches);
  std::vector<Certificate> found;
  while (found.size() < points.size()) {
    const std::size_t end = std::min(points.size(), found.size() + of_call);
    std::vector<Sample> samples;
    for (std::size_t i = found.size(); i < end; ++i) {
      for (std::int64_t b = options.skipped; b < options.skipped + options.batches; ++b) {
        samples.push_back({points[i], options.seed, impl::replications_of_certificates + b * options.replications,
                           options.replications, problem.has_gradient()});
      }
    }
    const std::vector<SampleMoments> moments = problem.simulate(samples);
    for (auto first = moments.begin(); first != moments.end(); first += batches)
      found.push_back(certificate_by(problem, points[found.size()], {first, first + batches}, options));
  }
  return found;
}

Certificate certificate(SampledProblem& problem, const std::vector<double>& x, const CertificateOptions& options) {
  return std::move(certificates(problem, {x}, options).front());
}

std::size_t best_certified(const std::vector<double>& objectives, const std::vector<Certificate>& certificates) {
  impl::check_dimension("certificates", static_cast<std::int64_t>(certificates.size()),
                        static_cast<std::int64_t>(objectives.size()));
  std::vector<double> sizes(certificates.front().constraints.size());
  for (const Certificate& certificate : certificates) {
    for (std::size_t j = 0; j < sizes.size(); ++j) {
      const double upper = certificate.constraints[j].upper;
      if (std::isfinite(upper)) sizes[j] = std::max(sizes[j], upper);
    }
  }
  const auto rank = [&](std::size_t i) {
    const Feasibility feasibility = certificates[i].feasibility();
    const bool is_violated = feasibility == Feasibility::infeasible;
    return std::pair(feasibility, is_violated ? min_violation(certificates[i], sizes) : objectives[i]);
  };
  std::size_t best = 0;
  for (std::size_t i = 1; i < objectives.size(); ++i) {
    if (rank(i) < rank(best)) best = i;
  }
  return best;
}

OptimalityGap lagrangian_gap(SampledProblem& problem, const std::vector<double>& multipliers,
                             const std::vector<double>& x, const std::vector<std::vector<double>>& starts,
                             const OptimalityGapOptions& options, const std::function<bool()>& is_enough) {
  std::vector<Multiplier> plain;
  for (const double value : multipliers) plain.push_back({value, 0});
  LagrangianProblem lagrangian(problem, std::move(plain));
  if (!problem.constraints().empty()) return impl::frank_wolfe_gap_above(problem, lagrangian, x, options);
  return impl::gap_above(problem, lagrangian, x, starts, options, is_enough);
}

}  // namespace sporos
