# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck shell=bash
# Functions and variables that the scripts share. Read this file with `source`.

repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cache=${SPOROS_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/sporos}
preset=${SPOROS_PRESET:-release}
build_folder=$repository/build
[[ $preset == release ]] || build_folder+=-$preset

fail() {
  printf '%s: %s\n' "${0##*/}" "$*" >&2
  exit 1
}

# logged FILE COMMAND...: runs the command with its output in FILE. If the command fails, prints the end of FILE and
# exits.
logged() {
  local log=$1
  shift
  "$@" >"$log" 2>&1 || {
    tail -n 40 "$log" >&2
    fail "failed: $* (all of its output: $log)"
  }
}

cores() { env -u OMP_NUM_THREADS -u OMP_THREAD_LIMIT nproc; }

# Number of parallel compile jobs: CMAKE_BUILD_PARALLEL_LEVEL, or one per core, as far as memory allows 2 GiB for each,
# which a template-heavy file may need.
compile_jobs() {
  if [[ -n ${CMAKE_BUILD_PARALLEL_LEVEL-} ]]; then
    echo "$CMAKE_BUILD_PARALLEL_LEVEL"
    return
  fi
  awk -v cores="$(cores)" '/^MemAvailable:/ { jobs = int($2 / 2097152) }
    END { print jobs < 1 ? 1 : jobs < cores ? jobs : cores }' /proc/meminfo
}

# Path of the Python for which scripts/setup has installed NumPy: Debian's own on a Debian machine.
python() {
  if command -v dpkg-query >/dev/null; then
    echo /usr/bin/python3
  else
    command -v python3
  fi
}

# version_of PACKAGE ROOT: prints the version of Kokkos or KokkosKernels installed in ROOT, or nothing if there is none.
version_of() {
  local file
  for file in "$2"/lib*/cmake/"$1/$1"ConfigVersion.cmake "$2"/lib/*/cmake/"$1/$1"ConfigVersion.cmake; do
    [[ -f $file ]] || continue
    sed -n 's/^ *set(PACKAGE_VERSION "\(.*\)").*/\1/Ip' "$file" | head -n 1
    return
  done
}

# configure OPTION...: sets up the machine and configures the preset.
configure() {
  "$repository/scripts/setup"
  Kokkos_ROOT=$("$repository/scripts/setup" --print-kokkos-root)
  export Kokkos_ROOT CXX=${CXX:-g++} CMAKE_BUILD_PARALLEL_LEVEL=${CMAKE_BUILD_PARALLEL_LEVEL:-$(compile_jobs)}

  mkdir -p "$build_folder"
  cd "$repository"
  logged "$build_folder/configure.log" cmake --preset "$preset" -U 'Kokkos*_DIR' -DKokkos_ROOT="$Kokkos_ROOT" \
    -DPython_EXECUTABLE="$(python)" -DPython3_EXECUTABLE="$(python)" "$@"
}

# count_results FILE: counts the test cases in ctest's JUnit file FILE. Only tests that report themselves as skipped
# count as skipped; a test that ctest could not start is a failure.
count_results() {
  awk '
    /<testcase / {
      if (/status="run"/) passed++
      else if (/status="disabled"/) skipped++
      else if (/status="notrun"/) undecided = 1
      else failed++
    }
    undecided && /<skipped / { if (/message="SKIP_/) skipped++; else failed++; undecided = 0 }
    END { print passed + 0, failed + 0, skipped + 0 }' "$1"
}
