// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace sporos::runtime {}

namespace sporos::apps {

// The command line is written in terms of the runtime's names.
using namespace runtime;

}  // namespace sporos::apps
