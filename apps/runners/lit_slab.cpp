// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "define_runner.hpp"

#include <sporos/models/radiation/lit_slab.hpp>

template sporos::apps::Runner sporos::apps::runner<sporos::models::LitSlab>();
