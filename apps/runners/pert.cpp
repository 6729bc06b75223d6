// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "define_runner.hpp"

#include <sporos/models/projects/pert.hpp>

template sporos::apps::Runner sporos::apps::runner<sporos::models::PertCase>();
