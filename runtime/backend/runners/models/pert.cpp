// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/backend/runners/define_runner.hpp>

#include <sporos/models/projects/pert.hpp>

template sporos::runtime::Runner sporos::runtime::runner<sporos::models::PertCase>();
