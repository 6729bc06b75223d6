// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/models/mixtures/expectation_maximization.hpp>
#include <sporos/optimizers/nelder_mead/result.hpp>

#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sporos {

/// Where a fit of mixtures and its bootstrap stand: all that it takes to go on with the bits of a run that was not
/// stopped, given the same sample, options and backend. Plain host data.
struct MixtureFitState {
  std::vector<std::vector<models::EmFit>> finished;  ///< what each run of EM has found, one after the other
  std::vector<models::EmFit> open;                   ///< where the run of EM under way stands; empty before it
  std::vector<NelderMeadState> simplices;            ///< of the run of Nelder–Mead; empty before it
};

/// What fit_mixtures and bootstrap_mixtures have done, in one journal: they find there what they need not do again.
class MixtureFitJournal {
 public:
  using EmFits = std::vector<models::EmFit>;  ///< of one run

  /// That goes on from `state`. `save` is called where a callback has asked for a pause; what it throws ends the fit.
  explicit MixtureFitJournal(MixtureFitState state = {}, std::function<void(const MixtureFitState&)> save = {})
      : m_state(std::move(state)), m_save(std::move(save)) {}

  /// Where it stands.
  const MixtureFitState& state() const { return m_state; }

  /// Whether a run that returns now has come to its end; set by what watches it.
  enum class End {
    whole,    ///< it has
    paused,   ///< it goes on after a checkpoint
    stopped,  ///< it does not
  };

  /// The next run of EM from these fits, `run(fits, end)`, from pause to pause; `reduce` makes of all its fits the
  /// `count` that are kept. Throws std::invalid_argument where the state is of another fit.
  template <class Run, class Reduce>
  EmFits em(EmFits fits, std::size_t count, const Run& run, const Reduce& reduce) {
    if (m_next < m_state.finished.size()) {
      const EmFits& found = m_state.finished[m_next++];
      check_count("fits", found.size(), count);
      return found;
    }
    if (!m_state.open.empty() && !m_is_stopped) {
      check_count("open fits", m_state.open.size(), fits.size());
      fits = m_state.open;
    }
    while (true) {
      End end = End::whole;
      fits = run(fits, end);
      if (end == End::whole || m_is_stopped) break;
      m_state.open = fits;
      m_is_stopped = end == End::stopped;
      if (m_is_stopped) break;
      save();
    }
    EmFits found = reduce(fits);
    if (m_is_stopped) return found;
    m_state.open.clear();
    m_state.finished.push_back(found);
    ++m_next;
    return found;
  }

  /// The run of Nelder–Mead from these simplices, `run(simplices, end)`, likewise.
  template <class Run>
  std::vector<NelderMeadResult> simplices(std::vector<NelderMeadState> starts, const Run& run) {
    if (!m_state.simplices.empty()) {
      check_count("simplices", m_state.simplices.size(), starts.size());
      starts = m_state.simplices;
    }
    while (true) {
      End end = End::whole;
      const std::vector<NelderMeadResult> found = run(starts, end);
      for (std::size_t s = 0; s < found.size(); ++s) starts[s] = found[s].state;
      if (!m_is_stopped) m_state.simplices = starts;
      m_is_stopped = m_is_stopped || end == End::stopped;
      if (end != End::paused || m_is_stopped) return found;
      save();
    }
  }

 private:
  static void check_count(const char* what, std::size_t count, std::size_t expected) {
    if (count == expected) return;
    throw std::invalid_argument("state of a fit has " + std::to_string(count) + " " + what + ", expected " +
                                std::to_string(expected));
  }

  void save() const {
    if (m_save) m_save(m_state);
  }

  MixtureFitState m_state;
  std::function<void(const MixtureFitState&)> m_save;
  std::size_t m_next = 0;     // of the finished runs
  bool m_is_stopped = false;  // then the state stays as it is
};

}  // namespace sporos
