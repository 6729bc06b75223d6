// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace sporos::runtime {}

namespace sporos::apps {

// The command line uses the names of the runtime unqualified.
using namespace runtime;

}  // namespace sporos::apps
