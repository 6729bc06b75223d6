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

/// State of a fit of mixtures and its bootstrap. A run resumed from it gives the same bits as an uninterrupted run,
/// with the same sample, options and backend. It is plain host data.
struct MixtureFitState {
  std::vector<std::vector<models::EmFit>> finished;  ///< results of each finished run of EM, in order
  std::vector<models::EmFit> open;                   ///< fits of the current run of EM; empty before it
  std::vector<NelderMeadState> simplices;            ///< simplices of the run of Nelder–Mead; empty before it
};

/// Journal of fit_mixtures and bootstrap_mixtures, which take finished runs from it instead of repeating them.
class MixtureFitJournal {
 public:
  using EmFits = std::vector<models::EmFit>;  ///< fits of one run

  /// Resumes from `state`. Calls `save` if a callback returns `pause`; an exception from `save` ends the fit.
  explicit MixtureFitJournal(MixtureFitState state = {}, std::function<void(const MixtureFitState&)> save = {})
      : m_state(std::move(state)), m_save(std::move(save)) {}

  /// Current state.
  const MixtureFitState& state() const { return m_state; }

  /// Way in which a run ended. The function that watches the run sets it.
  enum class End {
    whole,    ///< the run is complete
    paused,   ///< the run is to be resumed after a checkpoint
    stopped,  ///< the run is not to be resumed
  };

  /// Returns the result of the next run of EM from these fits. Calls `run(fits, end)` again after each pause; `reduce`
  /// turns all its fits into the `count` that are kept. Throws std::invalid_argument if the state belongs to another
  /// fit.
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

  /// Returns the result of Nelder–Mead from these simplices, from `run(simplices, end)`, in the same way as `em`.
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
  std::size_t m_next = 0;     // index of the next finished run
  bool m_is_stopped = false;  // if true, the state no longer changes
};

}  // namespace sporos
