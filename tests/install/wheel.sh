#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# wheel.sh SOURCE FOLDER VERSION PROGRAM: makes a wheel, and uses it in FOLDER as on a machine without a compiler.
# PROGRAM is the command line of another build, which must give the same digests. SPOROS_WHEEL names a wheel to test
# instead of making one.
set -euo pipefail
source=$1 folder=$2 version=$3 program=$4

fail() {
  printf '%s\n' "$*"
  exit 1
}

rm -rf "$folder"
mkdir -p "$folder/empty"
wheel=${SPOROS_WHEEL-}
[[ -n $wheel ]] || wheel=$("$source/scripts/package" --wheel | tail -n 1)
[[ -f $wheel ]] || fail "scripts/package --wheel has printed no file: '$wheel'"
[[ $wheel == */sporos-"$version"-cp*-cp*-manylinux_*_*.whl ]] || fail "$wheel: expected version $version and a manylinux tag"
size=$(stat -c %s "$wheel")
((size <= 20 * 1024 * 1024)) || fail "$wheel has $size bytes, expected at most 20 MiB"

# --- Contents ---------------------------------------------------------------------------------------------------------

python=python${wheel##*-cp}
python=${python%%-*}
python=${python/python3/python3.}
python=$(command -v "$python" || command -v /usr/bin/python3)
"$python" -m zipfile -e "$wheel" "$folder/contents"
cd "$folder/contents"
for file in sporos/_{serial,openmp}.*.so sporos/_model/{compiler,link}_{serial,openmp}.json sporos/network.schema.json \
  sporos/_model/include/{sporos/core,boost,fmt,nlohmann,Kokkos_Core.hpp} sporos/_model/lib/libkokkoscore.a \
  sporos-"$version".dist-info/entry_points.txt \
  sporos-"$version".dist-info/licenses/{LICENSE,kokkos,kokkos-kernels,libboost,libcli11,libcsv3,libfmt,libgomp1}*; do
  [[ -s $file ]] || fail "the wheel has no $file"
done
licenses=$(find sporos-*.dist-info/licenses -type f -size +0 | wc -l)
((licenses >= 12)) || fail "the wheel has $licenses licenses, expected 12"
if grep -rlF -e "$source" -e "${HOME:-$source}/" .; then fail "the files above name folders of this machine"; fi
strange=$(find sporos.libs -type f | grep -vE '/lib(csv|fmt|gomp|muparser|openblas)-[0-9a-f]{8}\.so\.[0-9.]+$' || true)
[[ -z $strange ]] || fail "unexpected libraries: $strange"
sizes() { du -cb --apparent-size "$@" | tail -n 1 | cut -f 1; }

# --- Without a compiler -----------------------------------------------------------------------------------------------

"$python" -m venv "$folder/venv"
start=$(date +%s)
bare=(env -i HOME="$folder/empty" PATH="$folder/venv/bin" SPOROS_CACHE="$folder/empty" OMP_PROC_BIND=false)
if "${bare[@]}" "$folder/venv/bin/python" -c 'import shutil, sys; sys.exit(shutil.which("g++") is None)'; then
  fail "there is a compiler on the path of the test"
fi
PATH=$folder/venv/bin "$folder/venv/bin/pip" install --quiet --disable-pip-version-check "$wheel"  # with pip's settings
cd "$folder/empty"
"${bare[@]}" sporos optimize mmck --over servers=1:8 --capacity 8 --minimize '3*servers + 40*blocking probability' \
  --format json --no-progress --output decision.json
seconds=$(($(date +%s) - start))
"$python" - decision.json <<'END' || fail "the decision differs from 4 servers: $(head -c 2000 decision.json)"
import json, sys
text = open(sys.argv[1]).read()
assert json.loads(text) and '"servers": 4' in text
END
((seconds <= 60)) || fail "it took $seconds s from the installation to the decision, expected at most 60 s"
for name in sporos sporos-serial sporos-openmp; do
  [[ $("${bare[@]}" "$name" --version) == "sporos $version" ]] || fail "$name --version does not report $version"
done
digest() { grep -m 1 -o '"digest": "[0-9a-f]*"'; }
for words in "simulate mm1 --replications 1000" "simulate ss-inventory --replications 100" "simulate mmck --replications 100 --seed 7"; do
  read -ra words <<<"$words"
  expected=$("$program" "${words[@]}" --format json | digest)
  for backend in serial openmp; do
    [[ $("${bare[@]}" sporos-$backend "${words[@]}" --format json | digest) == "$expected" && -n $expected ]] ||
      fail "${words[*]} on $backend: the digest is not that of $program, $expected"
  done
done

# --- With a compiler --------------------------------------------------------------------------------------------------

# Only the compiler, the C library and the C++ library of the machine are used.
cat >shop.py <<'END'
import sporos


@sporos.model
class Shop:
    """A customer is served."""

    rate: float = sporos.parameter(0.8, above=0)
    inputs = ("service",)
    responses = ("time",)

    def replicate(self, draw):
        return draw.exponential("service", self.rate)
END
mkdir -p "$folder/bin"
cat >"$folder/bin/c++" <<END
#!/bin/sh
exec g++ "\$@" -MD -MF "$folder/headers.\$\$"
END
chmod +x "$folder/bin/c++"
compiles=("${bare[@]}" PATH="$folder/venv/bin:$folder/bin:/usr/bin" SPOROS_CXX="$folder/bin/c++")
"${compiles[@]}" sporos simulate shop.py --rate 2 --replications 1000 --format json --output program.json --no-progress
expected=$(digest <program.json)
[[ -n $expected ]] || fail "the program of the model has printed no digest"
[[ $("${compiles[@]}" python -c "import shop, sporos; print(sporos.simulate(shop.Shop, rate=2, replications=1000).digest)") == *"${expected:11:16}"* ]] ||
  fail "the module of the model has not the digest of its program, $expected"
headers=$(cat "$folder"/headers.* | tr ' ' '\n' | grep -v "^$folder/" | grep -E '/(boost|fmt|nlohmann|sporos)/|/csv\.h|Kokkos' || true)
[[ -z $headers ]] || fail "headers that are not in the wheel: $headers"

echo "wheel: $size bytes, $(sizes "$folder/contents") unpacked; $seconds s from pip install to the decision"
