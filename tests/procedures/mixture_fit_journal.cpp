// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/io/json_text.hpp>
#include <sporos/procedures/mixture_bootstrap.hpp>
#include <sporos/procedures/mixture_fit.hpp>
#include <sporos/procedures/mixture_json.hpp>
#include <sporos/procedures/mixture_state_json.hpp>

#include "harness/backends.hpp"
#include "models/mixtures/sample_data.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace sporos {
namespace mixture_fit_journal_tests {

MixtureFitOptions quick() {
  MixtureFitOptions options;
  options.min_components = 2;
  options.max_components = 3;
  options.starts = 3;
  options.nelder_mead_starts = 1;
  return options;
}

MixtureBootstrapOptions few_samples() {
  MixtureBootstrapOptions options;
  options.samples = 19;
  return options;
}

// All results, as text.
template <class Space>
std::string results(const MixtureFitCallback& callback, MixtureFitJournal* journal) {
  const models::Observations sample = test::abbey();  // some starts end at the floor
  const MixtureFit fit = fit_mixtures(Space(), sample, quick(), callback, journal);
  std::string text = json_of(fit).dump();
  if (!fit.is_whole) return text;
  const auto bootstrap = bootstrap_mixtures(Space(), fit, few_samples(), callback, journal);
  return bootstrap ? text + json_of(*bootstrap).dump() : text;
}

MixtureFitState read_back(const MixtureFitState& state) {
  return mixture_fit_state_of_json(io::parse_json("a text", json_of(state).dump()), "state");
}

template <class Space>
class MixtureFitJournalTest : public ::testing::Test {};
TYPED_TEST_SUITE(MixtureFitJournalTest, test::Backends, test::BackendName);

// Pauses wherever possible, and resumes from a few of the states.
template <class Space>
void expect_every_state_to_do() {
  const std::string expected = results<Space>({}, nullptr);
  std::vector<MixtureFitState> states;
  MixtureFitJournal journal({}, [&](const MixtureFitState& state) { states.push_back(state); });
  bool pauses = false;
  const auto every_second = [&](const MixtureFitProgress&) {
    pauses = !pauses;
    return pauses ? Continuation::pause : Continuation::go_on;
  };
  EXPECT_EQ(results<Space>(every_second, &journal), expected);
  ASSERT_GT(states.size(), 12u);
  for (std::size_t i = 0; i < states.size(); i += states.size() / 6) {
    MixtureFitJournal from(read_back(states[i]));
    EXPECT_EQ(results<Space>({}, &from), expected) << "state " << i << " of " << states.size();
  }
}

TYPED_TEST(MixtureFitJournalTest, GoesOnFromEveryStateToTheLastBit) { expect_every_state_to_do<TypeParam>(); }

template <class Space>
void expect_a_stop_to_do() {
  const std::string expected = results<Space>({}, nullptr);
  for (const int calls : {1, 3, 7, 12, 20}) {
    MixtureFitJournal journal;
    int left = calls;
    results<Space>([&](const auto&) { return --left > 0 ? Continuation::go_on : Continuation::stop; }, &journal);
    MixtureFitJournal from(read_back(journal.state()));
    EXPECT_EQ(results<Space>({}, &from), expected) << calls << " calls";
  }
}

TYPED_TEST(MixtureFitJournalTest, GoesOnFromAStopToTheLastBit) { expect_a_stop_to_do<TypeParam>(); }

TEST(MixtureFitJournalOfAnotherFit, IsRefused) {
  using Space = Kokkos::DefaultHostExecutionSpace;
  MixtureFitJournal journal;
  results<Space>({}, &journal);
  MixtureFitState other = journal.state();
  other.finished[0].pop_back();
  MixtureFitJournal from(other);
  EXPECT_THROW(results<Space>({}, &from), std::invalid_argument);
}

}  // namespace mixture_fit_journal_tests
}  // namespace sporos
