// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/few_values.hpp>

#include <Kokkos_Core.hpp>

namespace sporos::impl {

/// Free slots among `slots` slots. Slots given back come first, the last one given back before the others, then slots
/// never taken.
template <int slots>
class FreeSlots {
 public:
  /// Takes a free slot; returns -1 if there is none.
  KOKKOS_FORCEINLINE_FUNCTION int take() {
    if (m_given_back > 0) return m_stack.get(--m_given_back);
    return m_touched < slots ? m_touched++ : -1;
  }
  KOKKOS_FORCEINLINE_FUNCTION void give_back(int slot) { m_stack.set(m_given_back++, slot); }
  KOKKOS_FORCEINLINE_FUNCTION int taken() const { return m_touched - m_given_back; }

 private:
  int m_given_back = 0;
  int m_touched = 0;  // number of slots that have ever been taken
  FewValues<int, slots> m_stack;
};

}  // namespace sporos::impl
