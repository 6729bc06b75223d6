// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "backend.hpp"
#include "option_parser.hpp"

#include <optional>

namespace sporos::apps {

/// The threads that the option --threads asks for; nothing where it is not given. Throws std::invalid_argument for what
/// `backend` does not have.
std::optional<int> threads_from(const OptionText& text, const Backend& backend);

}  // namespace sporos::apps
