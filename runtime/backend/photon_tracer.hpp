// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace sporos::models {
struct PhotonCounts;
}  // namespace sporos::models

namespace sporos::runtime {

struct RadiationTask;

/// Follows photons on the backend for which this program is built. Compiled in runners/. Throws as models::traced does.
models::PhotonCounts traced(const RadiationTask& task);

}  // namespace sporos::runtime
