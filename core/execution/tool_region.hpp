// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

namespace sporos {

/// Region that the tools of Kokkos (KOKKOS_TOOLS_LIBS, KOKKOS_PROFILE_LIBRARY before Kokkos 4) see during the lifetime
/// of this object. Regions nest. Without a tool it costs nothing but a test. Kokkos must be initialized.
class ToolRegion {
 public:
  /// Begins a region. `label` is its name, or a function that returns it and is called only if there is a tool.
  template <class Label>
  explicit ToolRegion(const Label& label) : m_is_open(Kokkos::Profiling::profileLibraryLoaded()) {
    if (!m_is_open) return;
    if constexpr (requires { label(); }) {
      Kokkos::Profiling::pushRegion(label());
    } else {
      Kokkos::Profiling::pushRegion(label);
    }
  }
  ToolRegion(const ToolRegion&) = delete;
  ToolRegion& operator=(const ToolRegion&) = delete;
  ~ToolRegion() {
    if (m_is_open) Kokkos::Profiling::popRegion();
  }

 private:
  bool m_is_open;
};

}  // namespace sporos
