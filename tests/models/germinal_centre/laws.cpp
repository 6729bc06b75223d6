// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks fields and agents against closed forms: the Gaussian curve of a point source, the diffusion constant of a
// walk, Boltzmann's distribution in a gradient, and the ordinary differential equations of a well-mixed tissue. Bits
// are the same on every backend (same_bits.cpp), so one backend is enough. Each of the about 20 statistical comparisons
// rejects a good model with probability 10^-5 for a random seed; the seeds are fixed. The controls are slightly wrong
// laws, which the same comparisons must reject.
#include "cases.hpp"

#include <sporos/core/statistics/confidence.hpp>
#include <sporos/models/germinal_centre/germinal_centres.hpp>

#include <gtest/gtest.h>

#include <boost/math/distributions/chi_squared.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sporos::test {
namespace laws_tests {

using models::CentreState, models::GerminalCentreCase, models::GerminalCentres, models::TissueMesh;
using Space = Kokkos::DefaultExecutionSpace;

constexpr double error_probability = 1e-5;

// Mean of a sample, and its allowed distance from the exact mean.
struct Sampled {
  double mean = 0, allowed = 0;
};

Sampled sampled(const std::vector<double>& values) {
  const auto count = static_cast<double>(values.size());
  double sum = 0, squares = 0;
  for (const double value : values) sum += value;
  for (const double value : values) squares += (value - sum / count) * (value - sum / count);
  const double quantile = student_t(1 - error_probability, static_cast<std::int64_t>(values.size()));
  return {sum / count, quantile * std::sqrt(squares / (count - 1) / count)};
}

double distance(const Sampled& found, double exact) { return std::abs(found.mean - exact); }

GerminalCentreCase case_with_field(int along, double exchange, double decay) {
  GerminalCentreCase field = plain_case(along);
  field.mesh.width = 2;
  field.chemokines = {{"c", exchange * 4, decay, 0, 1, {}}};
  return field;
}

// State of the centre after `steps` global steps, if the middle element has this amount at first.
CentreState after_a_point_source(const GerminalCentreCase& field, std::int64_t amount, int steps) {
  GerminalCentres<Space> centres(Space(), field, 1);
  auto state = centres.state();
  state.centres[0].amounts[state.centres[0].amounts.size() / 2] = amount;
  centres.restore(state);
  for (int i = 0; i < steps; ++i) centres.advance();
  return centres.state().centres[0];
}

// Largest distance of the amounts from a Gaussian curve with this variance in elements, relative to its peak.
double distance_from_gauss(const TissueMesh& mesh, const CentreState& centre, double amount, double variance) {
  const double peak = amount / std::pow(2 * std::acos(-1.0) * variance, 1.5);
  double greatest = 0;
  for (int element = 0; element < mesh.count(); ++element) {
    double square = 0;
    for (const int place : mesh.place(element)) square += std::pow(place - mesh.elements[0] / 2, 2);
    const double expected = peak * std::exp(-square / (2 * variance));
    const auto found = static_cast<double>(centre.amounts[static_cast<std::size_t>(element)]);
    greatest = std::max(greatest, std::abs(found - expected) / peak);
  }
  return greatest;
}

// The scheme has excess kurtosis, which makes the peak too high by 3 κ₄ / (8 σ⁴), with κ₄ = 2 r (1 − 6 r) for each
// step: here 0.6 %.
TEST(ChemokineField, SpreadsAsGaussHasIt) {
  constexpr double amount = 0x1p50, exchange = 0.1, steps = 100, variance = 2 * exchange * steps;
  const GerminalCentreCase field = case_with_field(41, exchange, 0);
  const CentreState centre = after_a_point_source(field, static_cast<std::int64_t>(amount), 10);
  EXPECT_LT(distance_from_gauss(field.mesh, centre, amount, variance), 0.01);
  EXPECT_GT(distance_from_gauss(field.mesh, centre, amount, 1.05 * variance), 0.01);
}

// Each element loses less than a unit of 2^-50 by rounding in each of 100 steps.
TEST(ChemokineField, DecaysAsItSpreads) {
  constexpr double amount = 0x1p50, decay = 0.01, left = 0.36603234127322950;  // 0.99^100
  const CentreState centre = after_a_point_source(case_with_field(21, 0.1, decay), 1LL << 50, 10);
  double sum = 0;
  for (const std::int64_t units : centre.amounts) sum += static_cast<double>(units);
  EXPECT_NEAR(sum / amount, left, 21 * 21 * 21 * 100 * 0x1p-50);
}

TEST(ChemokineField, StaysEvenBetweenWalls) {
  GerminalCentreCase field = case_with_field(4, 0.1, 0);
  field.chemokines[0].secretion = 10;
  field.chemokines[0].sources = {all_of(field.mesh)};
  const CentreState centre = after_a_point_source(field, 0, 3);
  for (const std::int64_t units : centre.amounts) EXPECT_EQ(units, 30 * 10 * 65536);
}

// Squared distances of all cells from the middle element, in elements.
std::vector<double> squared_distances(const TissueMesh& mesh, const CentreState& centre) {
  std::vector<double> squares;
  for (int element = 0; element < mesh.count(); ++element) {
    double square = 0;
    for (const int place : mesh.place(element)) square += std::pow(place - mesh.elements[0] / 2, 2);
    squares.insert(squares.end(), static_cast<std::size_t>(centre.cells[static_cast<std::size_t>(element)]), square);
  }
  return squares;
}

GerminalCentreCase walkers(double motility) {
  GerminalCentreCase walk = plain_case(43);
  walk.kinds[0].motility = motility;
  walk.kinds[0].in_tissue = 20'000;
  walk.kinds[0].start = {{{21, 21, 21}, {22, 22, 22}}};
  return walk;
}

TEST(AgentWalk, HasItsDiffusionConstant) {
  constexpr double motility = 200, minutes = 50;
  const GerminalCentreCase walk = walkers(motility);
  GerminalCentres<Space> centres(Space(), walk, 23);
  for (int i = 0; i < 5; ++i) centres.advance();
  const Sampled found = sampled(squared_distances(walk.mesh, centres.state().centres[0]));
  const double expected = 6 * motility * minutes / (walk.mesh.width * walk.mesh.width);
  EXPECT_LT(distance(found, expected), found.allowed);
  EXPECT_GT(distance(found, 1.05 * expected), found.allowed);
}

// One row of elements with a frozen field; receptors are half occupied at 1 nmol/l.
GerminalCentreCase row_of_cells(double sensitivity) {
  GerminalCentreCase row = plain_case(1);
  row.mesh.elements = {6, 1, 1};
  row.chemokines = {{"c", 0, 0, 0, 1, {}}};
  row.kinds[0].motility = 200;
  row.kinds[0].chemokine = row.chemokines[0].name;
  row.kinds[0].sensitivity = sensitivity;
  row.kinds[0].in_tissue = 5000;
  row.steps_per_exchange = 600;
  return row;
}

// Returns χ² of the numbers of cells in elements against Boltzmann's distribution e^(χ f) of independent cells.
double misfit(const std::vector<std::int64_t>& cells, const std::vector<double>& occupancies, double sensitivity) {
  double sum = 0, count = 0, square = 0;
  for (const double f : occupancies) sum += std::exp(sensitivity * f);
  for (const std::int64_t in_element : cells) count += static_cast<double>(in_element);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const double expected = count * std::exp(sensitivity * occupancies[i]) / sum;
    square += std::pow(static_cast<double>(cells[i]) - expected, 2) / expected;
  }
  return square;
}

// Steps back and forth have the odds e^(χ Δ), so cells finally have the distribution e^(χ f). The test takes 600 steps,
// 100 times as long as a walk takes from end to end.
TEST(AgentWalk, ClimbsAGradientToBoltzmannsDistribution) {
  const boost::math::chi_squared distribution(5);
  const double bound = boost::math::quantile(boost::math::complement(distribution, error_probability));
  const std::vector<double> occupancies{0, 1.0 / 3, 0.5, 0.6, 2.0 / 3, 5.0 / 7};
  for (const double sensitivity : {-3.0, 0.0, 1.5, 4.0}) {
    const GerminalCentreCase row = row_of_cells(sensitivity);
    GerminalCentres<Space> centres(Space(), row, 31);
    auto state = centres.state();
    for (std::size_t i = 0; i < 6; ++i) {
      state.centres[0].amounts[i] =
          static_cast<std::int64_t>(0.5 * static_cast<double>(i) * models::units_at_one_nanomolar(row.mesh));
    }
    centres.restore(state);
    centres.advance();
    const auto cells = centres.state().centres[0].cells;
    EXPECT_LT(misfit(cells, occupancies, sensitivity), bound) << sensitivity;
    EXPECT_GT(misfit(cells, occupancies, sensitivity + 0.6), bound) << sensitivity;
  }
}

// Cells that divide, are infected by infected cells, and die of the infection.
GerminalCentreCase epidemic() {
  GerminalCentreCase mixed = plain_case(1);
  mixed.centres = 24;
  mixed.local_step = 0.1;
  mixed.steps_per_exchange = 100;
  mixed.mesh.width = 10;
  mixed.kinds.resize(3);
  mixed.kinds[0].name = std::string("healthy");
  mixed.kinds[1].name = std::string("infected");
  mixed.kinds[2].name = std::string("virus");
  mixed.kinds[0].in_tissue = 2000;
  mixed.kinds[1].in_tissue = 200;
  mixed.changes = {{"healthy", "healthy", 0.02, 0, "healthy", 1}, {"infected", "", 0.1, 0, "virus", 3}};
  mixed.meetings = {{"infected", "healthy", 0.15, "infected", "infected"}};
  return mixed;
}

using Numbers = std::array<double, 3>;

// Solves the ordinary differential equations of the epidemic, for any rate of infection, by the fourth-order
// Runge-Kutta method.
Numbers solved_epidemic(double infection, double minutes) {
  Numbers y{2000, 200, 0};
  const auto slope = [&](const Numbers& at) {
    const double infected = infection / 1000 * at[0] * at[1];
    return Numbers{0.02 * at[0] - infected, infected - 0.1 * at[1], 0.3 * at[1]};
  };
  const auto moved = [](const Numbers& from, const Numbers& by, double step) {
    return Numbers{from[0] + step * by[0], from[1] + step * by[1], from[2] + step * by[2]};
  };
  constexpr double h = 0.01;
  for (int i = 0; i < static_cast<int>(std::lround(minutes / h)); ++i) {
    const Numbers a = slope(y), b = slope(moved(y, a, h / 2)), c = slope(moved(y, b, h / 2)), d = slope(moved(y, c, h));
    for (std::size_t k = 0; k < 3; ++k) y[k] += h / 6 * (a[k] + 2 * b[k] + 2 * c[k] + d[k]);
  }
  return y;
}

// Steps of 0.1 min, with rates of up to 0.2 / min, and finite numbers of cells cause a deviation of up to 1 %.
TEST(WellMixedTissue, FollowsItsDifferentialEquations) {
  constexpr double discrete = 0.01;
  GerminalCentres<Space> centres(Space(), epidemic(), 5);
  centres.advance();
  const auto tissue = centres.census().tissue;
  const Numbers expected = solved_epidemic(0.15, 10), wrong = solved_epidemic(0.18, 10);
  bool is_reported = false;
  for (std::size_t kind = 0; kind < 3; ++kind) {
    std::vector<double> numbers;
    for (const auto& centre : tissue) numbers.push_back(static_cast<double>(centre[kind]));
    const Sampled found = sampled(numbers);
    EXPECT_LT(distance(found, expected[kind]), found.allowed + discrete * expected[kind]) << kind;
    is_reported = is_reported || distance(found, wrong[kind]) > found.allowed + discrete * wrong[kind];
  }
  EXPECT_TRUE(is_reported);
}

// Number of cells in the tissue, of 50 000 that circulate from blood to tissue, lymph and blood with the rates 0.005,
// 0.01 and 0.01 / min.
double cells_in_tissue(int steps_per_exchange, int minutes) {
  using enum models::Compartment;
  GerminalCentreCase round = plain_case(4);
  round.steps_per_exchange = steps_per_exchange;
  round.volumes = {100, 50, 1, 1};
  round.flows = {{blood, tissue, 0.5}, {tissue, lymph, 0.5}, {lymph, blood, 0.5}};
  round.kinds[0].extraction = 1;
  round.kinds[0].drainage = 0.01;
  round.kinds[0].in_pools[0] = 50'000;
  GerminalCentres<Space> centres(Space(), round, 41);
  for (int i = 0; i < minutes / steps_per_exchange; ++i) centres.advance();
  return static_cast<double>(centres.agents());
}

// In balance, flows and populations do not depend on the global step T. Two binomial numbers of cells differ by chance
// by less than 4.4 √(2 · 12500 · ¾) = 600. Before balance is reached, blood sends out cells by its contents at the
// beginning of the step, which is too much by the share 0.005 T / 2, or 15 % if T is an hour.
TEST(GlobalStep, ChangesPopulationsOnTheWayByItsShareAndInBalanceNot) {
  constexpr double chance = 600, share = 0.005 * 60 / 2;
  EXPECT_NEAR(cells_in_tissue(1, 1200), 12'500, chance);
  EXPECT_NEAR(cells_in_tissue(60, 1200), 12'500, chance);
  const double fine = cells_in_tissue(1, 120), coarse = cells_in_tissue(60, 120);
  EXPECT_NEAR(coarse, fine, share * fine + chance);
  EXPECT_GT(coarse, fine + chance);
}

TEST(Agents, ChangeFromAnAgeOn) {
  GerminalCentreCase ageing = plain_case(1);
  ageing.steps_per_exchange = 1;
  ageing.kinds[0].in_tissue = 100;
  ageing.changes = {{"cell", "", 1, 7, "", 0}};
  GerminalCentres<Space> centres(Space(), ageing, 1);
  for (int step = 0; step < 7; ++step) centres.advance();
  EXPECT_EQ(centres.agents(), 100);
  centres.advance();
  EXPECT_EQ(centres.agents(), 0);
}

}  // namespace laws_tests
}  // namespace sporos::test
