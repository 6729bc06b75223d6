#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Negative control of layering.sh: a good tree passes, and each kind of bad include in it is found and named.
set -euo pipefail
check=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/layering.sh
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT

plant() {  # plant FILE LINE
  mkdir -p "$tree/$(dirname "$1")"
  echo "$2" >"$tree/$1"
}

rejects() {  # rejects FILE LINE COMPLAINT
  local answer
  plant "$1" "$2"
  if answer=$(bash "$check" "$tree"); then
    echo "not found: $1 with $2"
    exit 1
  fi
  if [[ $answer != "$1:1: $3"* || $(wc -l <<<"$answer") != 1 ]]; then
    printf 'expected: %s:1: %s\nanswered: %s\n' "$1" "$3" "$answer"
    exit 1
  fi
  rm "$tree/$1"
}

plant core/random/good.hpp '#include <sporos/core/math/log.hpp>'
plant core/math/good.hpp '#include <sporos/core/math/log.hpp>'
plant models/queues/good.hpp '#include <sporos/core/replication/model.hpp>'
plant procedures/good.hpp '#include <sporos/optimizers/frank_wolfe/frank_wolfe.hpp>'
plant apps/good.cpp '#include <sporos/version.hpp>'
bash "$check" "$tree"

rejects core/random/x.hpp '#include <sporos/core/replication/y.hpp>' \
  'includes core/replication/y.hpp: core/random may know only itself and core/execution, core/math, core/events, core/derivatives, core/statistics'
rejects core/execution/x.hpp '  #  include <sporos/core/math/log.hpp>' \
  'includes core/math/log.hpp: core/execution may know nothing but itself'
rejects core/math/x.hpp '#include <sporos/models/queues/mm1.hpp>' 'includes models/queues/mm1.hpp: core/math may know only'
rejects models/queues/x.hpp '#include <sporos/optimizers/y.hpp>' 'includes optimizers/y.hpp: models may know only'
rejects optimizers/x.hpp '#include <sporos/models/y.hpp>' 'includes models/y.hpp: optimizers may know only'
rejects models/x.hpp '#include <sporos/procedures/y.hpp>' 'includes procedures/y.hpp: models may know only'
rejects core/random/x.hpp '#include <sporos/core/nowhere/y.hpp>' 'includes core/nowhere/y.hpp, which is on no floor'
rejects core/nowhere/x.hpp '#include <sporos/core/math/log.hpp>' 'core/nowhere is on no floor'
rejects core/random/x.hpp '#include "../replication/y.hpp"' 'includes by a relative path'

rm -r "${tree:?}"/*
! bash "$check" "$tree" || { echo "an empty tree passed"; exit 1; }
