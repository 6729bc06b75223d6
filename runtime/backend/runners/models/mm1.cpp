// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/backend/runners/define_runner.hpp>

#include <sporos/models/queues/mm1.hpp>

template sporos::runtime::Runner sporos::runtime::runner<sporos::models::MM1>();
