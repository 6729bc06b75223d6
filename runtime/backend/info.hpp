// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/backend.hpp>
#include <sporos/runtime/options/output_format.hpp>

#include <sporos/core/execution/execution_settings.hpp>

#include <string>

namespace sporos::runtime {

/// Version, devices and build options of this program, as JSON; `backend` has been started.
std::string info_json(const Backend& backend);

/// The same in that format, of a backend that is started with these settings; where it cannot start, with the reason.
std::string info_text(Backend& backend, const ExecutionSettings& settings, Format format);

}  // namespace sporos::runtime
