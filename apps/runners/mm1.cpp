// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "define_runner.hpp"

#include <sporos/models/queues/mm1.hpp>

template sporos::apps::Runner sporos::apps::runner<sporos::models::MM1>();
