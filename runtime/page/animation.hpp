// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/page/document.hpp>

#include <string>

namespace sporos::runtime {

/// Returns an animated picture as an HTML element. Its ids begin with `id`, which no other element of the page may use.
/// Without scripts and on paper, the element is a still picture with averages. animation_script() moves it.
std::string html_of(const PageAnimation& picture, const std::string& id);

/// Returns the element with the script that moves all animated pictures above it.
std::string animation_script();

}  // namespace sporos::runtime
