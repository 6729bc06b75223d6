#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# examinimd.sh BUILD SOURCE FOLDER EXAMINIMD KOKKOS CXX: installs the files that BUILD has built, adds the program of
# SOURCE/examples/examinimd to the build of ExaMiniMD, and checks its output: runs conserve the energy, and the mean
# potential and kinetic energy add up to the energy of the start, which is a sum over the crystal's lattice.
set -euo pipefail
export LC_ALL=C
build=$1 source=$2 folder=$3 examinimd=$4 kokkos=$5 compiler=$6

rm -rf "$folder"
cmake --install "$build" --component development --prefix "$folder/sporos" >/dev/null
cmake -S "$examinimd" -B "$folder/build" -DUSE_MPI=OFF -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER="$compiler" \
      -DCMAKE_CXX_FLAGS=-fopenmp -DCMAKE_PREFIX_PATH="$kokkos;$folder/sporos" \
      -DCMAKE_PROJECT_ExaMiniMD_INCLUDE="$source/examples/examinimd/with_sporos.cmake" >"$folder/configure.log"
cmake --build "$folder/build" --target energy --parallel 2 >"$folder/build.log"
OMP_PROC_BIND=false "$(find "$folder/build" -name energy -type f -perm -u+x)" -il "$source/examples/examinimd/liquid.in" |
  tee "$folder/output"

# value NAME: prints the mean and the half-width of an output line.
value() {
  sed -nE "s/^$1:? +(-?[0-9.]+) \+- ([0-9.]+)$/\1 \2/p" "$folder/output"
}
read -r energy _ <<<"$(value 'potential energy per atom')"
read -r temperature _ <<<"$(value temperature)"
read -r drift _ <<<"$(value 'drift of energy per atom')"
awk -v energy="$energy" -v temperature="$temperature" -v drift="$drift" '
# Energy per atom of the crystal at density 0.6 with the cutoff 2.5; `shift` is subtracted from each pair.
function crystal(shift, half, i, j, k, squared, sixth, sum) {
  half = (4 / 0.6) ^ (1 / 3) / 2
  for (i = -4; i <= 4; ++i) for (j = -4; j <= 4; ++j) for (k = -4; k <= 4; ++k) {
    squared = (i * i + j * j + k * k) * half * half
    if ((i + j + k) % 2 != 0 || squared == 0 || squared > 2.5 * 2.5) continue
    sixth = 1 / squared ^ 3
    sum += 2 * (sixth * (sixth - 1) - shift)
  }
  return sum
}
BEGIN {
  degrees = 1.5 * (1 - 1 / 500)
  found = energy + degrees * temperature - drift
  at_cutoff = 2.5 ^ -6 * (2.5 ^ -6 - 1)
  expected = crystal(at_cutoff) + degrees * 2
  print "energy per atom at the start: " found ", expected " expected
  # The kinetic energy at the start has the standard deviation 2 sqrt(1.5 / 500 / 20) = 0.0245: an error has
  # probability 1e-3. Control: without the shift at the cutoff, the energy of the crystal is too low.
  if ((found - expected) ^ 2 > (3.3 * 0.0245) ^ 2) { print "the energy is wrong"; exit 1 }
  if ((found - crystal(0) - degrees * 2) ^ 2 < (3.3 * 0.0245) ^ 2) { print "the check cannot fail"; exit 1 }
  if (drift ^ 2 > 0.01 ^ 2) { print "the drift is " drift; exit 1 }
}'
