// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that selections stopped at any launch resume from their journal, to the same bits.
#include "normal_systems.hpp"

#include <harness/backends.hpp>

#include <sporos/core/io/json_text.hpp>
#include <sporos/procedures/ranking_and_selection/journaled_systems.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace sporos::test {
namespace journal_tests {

using namespace normal_systems;

constexpr std::int64_t systems = 15;
constexpr NormalSystem model{0, 0.1, 0.02, 1, 2};

SelectionOptions options() {
  SelectionOptions options = some_options(5);
  options.growth = 1.3;
  options.most = 200;
  options.tolerances = {0.2, 0.2};
  return options;
}

// Constraints for procedures that support them: 11 of 15 systems have a mean of at least −0.2, all of at least −1.
std::vector<ResponseConstraint> constraints_of(const SelectionProcedure& how) {
  if (!how.has_constraints) return {};
  return {{{-1, 0}, 0.2}, {{-1, 0}, 1}};
}

// Launch number at which no selection ever stops; launches are counted from 1.
constexpr int nowhere = std::numeric_limits<int>::max();

// A selection, which resumes from a journal if there is one.
class Selection {
 public:
  Selection(const SelectionProcedure& how, bool common)
      : m_how(how),
        m_all(systems_of(Host(), model, numbered(systems), {0, false, 1, common, constraints_of(how)},
                         {[this] { return is_enough(); }})) {}

  // Runs until the given launch and returns the journal.
  std::string run_until(int launch, const std::string& journal = "") {
    JournaledSystems journaled(m_all);
    m_launches = std::numeric_limits<int>::min();  // repeated launches do not count
    if (!journal.empty())
      journaled.restore(JournaledSystems::read(io::parse_json("journal", journal), "journal", systems,
                                               static_cast<std::size_t>(m_all.constraints())));
    m_launches = 0;
    m_last = launch;
    try {
      m_how.run(journaled, options(), [&](const SelectionStep& step) {
        m_numbers.insert(m_numbers.end(),
                         {static_cast<double>(step.survivors), static_cast<double>(step.replications)});
      });
      m_has_ended = true;
    } catch (const SelectionInterrupted&) {
    }
    return journaled.json().dump();
  }

  bool has_ended() const { return m_has_ended; }

  // Numbers of all steps and of the surviving systems.
  std::vector<double> numbers() {
    std::vector<double> numbers = m_numbers;
    numbers.push_back(static_cast<double>(m_all.replications()));
    for (const auto& estimate : m_all.best(systems)) {
      numbers.insert(numbers.end(), {static_cast<double>(estimate.system), static_cast<double>(estimate.replications),
                                     estimate.mean, estimate.variance});
      for (int i = 0; i < m_all.constraints(); ++i) {
        numbers.push_back(m_all.excesses(i, std::array{estimate.system}).front().mean);
      }
    }
    if (const auto nearest = m_all.nearest_infeasible()) numbers.push_back(nearest->excess.mean);
    return numbers;
  }

 private:
  bool is_enough() { return ++m_launches >= m_last; }

  const SelectionProcedure& m_how;
  DeviceSystems<Host> m_all;
  int m_launches = 0, m_last = nowhere;
  bool m_has_ended = false;
  std::vector<double> m_numbers;
};

class SelectionJournal : public ::testing::TestWithParam<SelectionProcedure> {};

TEST_P(SelectionJournal, GoesOnToTheSameBits) {
  for (const bool common : {false, true}) {
    if (common && !GetParam().allows_common_random_numbers) continue;
    Selection whole(GetParam(), common);
    const std::string end = whole.run_until(nowhere);
    const auto expected = whole.numbers();
    Selection again(GetParam(), common);  // all is done: only results kept of the first stage are computed
    EXPECT_EQ(again.run_until(1, end), end);
    EXPECT_EQ(again.numbers(), expected);
    for (int launch = 1;; launch += 1 + launch / 3) {
      Selection stopped(GetParam(), common);
      const std::string journal = stopped.run_until(launch);
      if (stopped.has_ended()) {
        EXPECT_GT(launch, 1) << "the control: it was stopped";
        break;
      }
      Selection rest(GetParam(), common);
      EXPECT_EQ(rest.run_until(nowhere, journal), end) << launch;
      EXPECT_EQ(rest.numbers(), expected) << launch;
    }
  }
}

// Stops at every launch, one after the other.
TEST_P(SelectionJournal, GoesOnStepByStep) {
  Selection whole(GetParam(), false);
  const std::string end = whole.run_until(nowhere);
  std::string journal;
  for (int launches = 0; launches < 1000; ++launches) {
    Selection next(GetParam(), false);
    journal = next.run_until(2, journal);
    if (next.has_ended()) break;
  }
  EXPECT_EQ(journal, end);
}

INSTANTIATE_TEST_SUITE_P(Procedures, SelectionJournal,
                         ::testing::ValuesIn(selection_procedures().begin(), selection_procedures().end()),
                         [](const auto& procedure) {
                           std::string name(procedure.param.name);
                           if (name == "kn++") return std::string("kn_plus");
                           std::erase(name, '-');
                           return name;
                         });

TEST(SelectionJournal, RefusesWhatIsNone) {
  Selection whole(procedure("kn"), false);
  const io::Json journal = io::parse_json("journal", whole.run_until(3));
  const auto refused = [&](const std::function<void(io::Json&)>& change) {
    io::Json changed = journal;
    change(changed);
    try {
      JournaledSystems::read(changed, "journal", systems);
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string("taken");
  };
  const std::string survivors = std::to_string(journal["survivors"]["system"].size());
  EXPECT_EQ(refused([](io::Json&) {}), "taken");
  EXPECT_EQ(refused([](io::Json& json) { json.erase("answers"); }), "journal has no member 'answers'");
  EXPECT_EQ(refused([](io::Json& json) { json["answers"][1] = 3; }),
            "journal: answers[1] is '3', expected three numbers, the last two whole");
  EXPECT_EQ(refused([](io::Json& json) { json["survivors"]["system"][0] = systems; }),
            "journal: survivors: system has " + survivors + " numbers, expected " + survivors + " from 0 to 14");
  EXPECT_EQ(refused([](io::Json& json) { json["survivors"]["count"][0] = 0.5; }),
            "journal: survivors: count[0] is '0.5', expected a whole number");
  EXPECT_EQ(refused([](io::Json& json) { json["survivors"]["sum"].push_back(0); }),
            "journal: survivors: sum has " + std::to_string(journal["survivors"]["system"].size() + 1) +
                " numbers, expected " + survivors);
}

}  // namespace journal_tests
}  // namespace sporos::test
