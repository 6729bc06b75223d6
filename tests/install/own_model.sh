#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# own_model.sh BUILD FOLDER PYTHON CMAKE_OPTION...: follows a user's way from nothing to the first optimized decision.
# Installs the files that BUILD has built, moves the installation, makes `sporos new` write a program, builds it for one
# backend, tests it and runs its commands. Nothing else is available, so no file of the installation may be missing.
# PYTHON imports a package of the same model, unless it is `none`. If the variable SPOROS_LONG_TESTS is set, more wrong
# calls of sporos_add_programs are configured.
set -euo pipefail
export LC_ALL=C
build=$1 folder=$2 python=$3
shift 3

fail() {
  printf '%s\n' "$*"
  exit 1
}

# refused STATUS TEXT COMMAND...: checks that COMMAND ends with STATUS, prints TEXT in one line, and leaves the folder
# unchanged.
refused() {
  local status=$1 text=$2 before after=0 said
  shift 2
  before=$(ls -A)
  said=$("$@" 2>&1 >/dev/null) || after=$?
  [[ $after == "$status" && $said == *"$text"* && $(wc -l <<<"$said") == 1 ]] ||
    fail "'$*' ended with $after and '$said', expected $status and '$text'"
  [[ $(ls -A) == "$before" ]] || fail "'$*' has written something"
}

rm -rf "$folder"
mkdir -p "$folder"
cmake --install "$build" --component development --prefix "$folder/first" >"$folder/install.log"
mv "$folder/first" "$folder/moved"
sporos=$build/bin/sporos
cd "$folder"

refused 2 'sporos: no name is given: expected sporos new NAME' "$sporos" new
refused 2 "sporos: the name is 'My-Clinic', expected at most 40 lower-case letters, digits and underscores" "$sporos" new My-Clinic
refused 2 "sporos: the name is '../clinic', expected" "$sporos" new ../clinic
refused 2 "sporos: the name is '2', expected" "$sporos" new 2
refused 2 "sporos: the name is 'sporos', which is reserved: expected another name" "$sporos" new sporos
refused 2 "sporos: unexpected 'more': expected sporos new NAME" "$sporos" new clinic more
touch taken
refused 2 "sporos: 'taken' exists already" "$sporos" new taken
mkdir locked
chmod 555 locked
if [[ ! -w locked ]]; then  # root can write there anyway
  (cd locked && refused 2 "sporos: cannot write 'clinic': Permission denied" "$sporos" new clinic)
fi

"$sporos" new city_ward >next
[[ $(<next) == 'city_ward is written.'* ]] || fail "sporos new said $(<next)"
refused 2 "sporos: 'city_ward' exists already" "$sporos" new city_ward
[[ $(cd city_ward && echo *) == 'CMakeLists.txt README.md city_ward.hpp test.cmake' ]] || fail "it wrote: $(ls -A city_ward)"
[[ $(ls -A) == $'city_ward\ninstall.log\nlocked\nmoved\nnext\ntaken' ]] || fail "it left: $(ls -A)"
! grep -rE 'clinic|Clinic|SPDX' city_ward || fail "the lines above are not the user's"

if [[ $python != none ]]; then
  sed -i 's/^sporos_add_programs(city_ward MODELS city_ward.hpp/& PYTHON/' city_ward/CMakeLists.txt
fi
cmake -S city_ward -B program -DCMAKE_PREFIX_PATH="$folder/moved" -DCMAKE_CXX_FLAGS_RELEASE=-O0 "$@" >configure.log
fastest=$(readlink program/city_ward)
cmake --build program --target "$fastest" >build.log || fail "$(tail -n 20 build.log)"
(cd program && ctest --output-on-failure >../ctest.log) || fail "$(<ctest.log)"

ward=program/city_ward
[[ $("$ward" list) == *city_ward* && $("$ward" list | wc -l) == 2 ]] || fail "list: $("$ward" list)"
[[ $("$ward" describe city_ward) == *'--doctors '*'waiting time'* ]] || fail "describe: $("$ward" describe city_ward)"
[[ $("$ward" --version) == 'city_ward with sporos '* ]] || fail "version: $("$ward" --version)"
[[ $("$ward" info) == *Kokkos* ]] || fail "info: $("$ward" info)"
for words in --help 'simulate --help' 'optimize --help' 'list --help' 'simulate city_ward --help' 'optimize city_ward --help'; do
  # shellcheck disable=SC2086 # several words
  help=$("$ward" $words)
  [[ $help == *'city_ward '* && ${help,,} != *'sporos '* && $help != *portfolio* ]] || fail "$words: $help"
done
refused 2 "city_ward: unknown model 'mm1'" "$ward" simulate mm1
refused 2 "city_ward: unknown model 'portfolio'" "$ward" optimize portfolio
refused 2 "city_ward: no model is given: expected city_ward optimize MODEL" "$ward" optimize
refused 2 "city_ward: unknown command 'fit'" "$ward" fit
refused 2 "city_ward: doctors is 17, expected" "$ward" simulate city_ward --doctors 17

"$ward" optimize city_ward --over doctors=1:8 --minimize 'waiting time + 5*doctors' >decision
grep '^doctors' decision || fail "no decision: $(<decision)"

# Gets the same results from Python, with the objects of the program.
if [[ $python != none ]]; then
  cmake --build program --target "$fastest-python" >>build.log || fail "$(tail -n 20 build.log)"
  PYTHONPATH=program/python "$python" -B - <<'END' || fail "the package of the model does not do what its program does"
import city_ward

assert [model.name for model in city_ward.models()] == ["city_ward"]
found = city_ward.optimize("city_ward", over={"doctors": (1, 8)}, minimize="waiting time + 5*doctors")
line = next(line for line in open("decision") if line.startswith("doctors"))
assert found.table()["doctors"].tolist() == [int(line.split()[1])], found
result = city_ward.simulate("city_ward", doctors=1, patients=2, gap=10, visit=10, replications=40000)
assert 2.4 < result["waiting time"].mean < 2.6, result
try:
    city_ward.simulate("mm1")
    raise SystemExit("mm1 is known")
except ValueError as error:
    assert str(error) == "unknown model 'mm1': expected one of city_ward", error
END
fi

# The library that is compiled first reports a wrong model.
sed -i.right 's/, "end of the day"//' city_ward/city_ward.hpp
! cmake --build program --target city_ward-contract >wrong.log 2>&1 || fail "a model with more values than names compiles"
grep -q "Sporos: a model's call must return one value for each of its response_names" wrong.log || fail "$(<wrong.log)"
mv city_ward/city_ward.hpp.right city_ward/city_ward.hpp

# Wrong calls fail when CMake configures: one message says what is expected.
misused() {
  local text=$1 call=$2 log
  printf 'cmake_minimum_required(VERSION 3.22)\nproject(wrong CXX)\nfind_package(Sporos REQUIRED COMPONENTS command_line)\n%s\n' \
    "$call" >city_ward/CMakeLists.txt
  ! log=$(cmake -S city_ward -B wrong -DCMAKE_PREFIX_PATH="$folder/moved" "${options[@]}" 2>&1) || fail "'$call' was configured"
  [[ $(tr -s ' \n' ' ' <<<"$log") == *"$text"* ]] || fail "'$call' gave $log"
}
options=("$@")
misused "there is no header" 'sporos_add_programs(clinic MODELS hospital.hpp)'
if [[ -v SPOROS_LONG_TESTS ]]; then  # each call takes a second
  misused "no MODELS are given, expected the headers of models" 'sporos_add_programs(clinic)'
  [[ $python == none ]] || misused "the name is 'city-ward', expected no - in that of a Python package" \
    'sporos_add_programs(city-ward MODELS city_ward.hpp PYTHON)'
  misused "the name is 'sporos', expected" 'sporos_add_programs(sporos MODELS city_ward.hpp)'
  misused "unexpected 'city_ward.hpp', expected MODELS" 'sporos_add_programs(clinic city_ward.hpp)'
fi
sed -i 's/CityWard/CityHall/' city_ward/city_ward.hpp
misused "has no type CityWard, expected one" 'sporos_add_programs(clinic MODELS city_ward.hpp)'
