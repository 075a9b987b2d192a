#!/bin/bash
# Runs all tests, or the steps that are named. Installs what is missing on Debian 12. See --help.
set -euo pipefail
cd "$(dirname "$0")"
exec </dev/null

# shellcheck source=tools/packages.sh
source tools/packages.sh

all_steps=(format asan-ubsan tsan tidy release)

usage() {
  cat <<'END'
usage: ./test.sh [step]...

Without arguments, all steps in this order; the first that fails ends the run and shows its output.

  format      clang-format would change nothing
  asan-ubsan  build with clang 14, AddressSanitizer and UndefinedBehaviorSanitizer; all tests
  tsan        build with clang 19 and ThreadSanitizer; all tests
  tidy        clang-tidy is silent about src/ and include/
  release     build with g++, warnings are errors; all tests, also of the installed package, but for the unit
              tests, which are in the steps before, and for benchmarks with ThreadSanitizer

Packages that a step needs are installed by apt-get when they are missing. Builds are kept in build/,
one folder per preset, and the output of each step in build/logs/.
END
}

# quietly <command>...: runs it with its output in the step's log, which is shown if it fails.
quietly() {
  local status=0
  "$@" >>"$log" 2>&1 || status=$?
  if [[ $status -ne 0 ]]; then
    cat "$log"
    echo "== $step: failed, see above; the same output is in $log"
    exit "$status"
  fi
}

# build <preset> <compiler> [setting]...: configures and builds in build/<preset>.
build() {
  local preset=$1 compiler fresh=() cached
  compiler=$(command -v "$2")
  cached=$(sed -n 's/^CMAKE_CXX_COMPILER:[A-Z]*=//p' "build/$preset/CMakeCache.txt" 2>/dev/null || true)
  if [[ -n $cached && $cached != "$compiler" ]]; then
    fresh=(--fresh) # a configured build does not change its compiler
  fi
  quietly cmake --preset "$preset" "${fresh[@]}" -DCMAKE_CXX_COMPILER="$compiler" "${@:3}"
  quietly cmake --build "build/$preset"
}

# One more than there are processors: some tests sleep.
at_once=$(($(nproc) + 1))

# The summary of ctest that a log ends with, in one line.
summary() { sed -n 's/^\([0-9]*% tests passed, .*\)$/   \1/p' "$log" | tail -n 1; }

step_format() {
  install_packages "${packages_format[@]}"
  echo "== format: clang-format 14"
  quietly tools/format.sh --check
}

step_asan_ubsan() {
  install_packages "${packages_build[@]}" "${packages_tests[@]}" "${packages_clang[@]}"
  echo "== asan-ubsan: build and test with clang 14, AddressSanitizer and UndefinedBehaviorSanitizer"
  build asan-ubsan clang++-14
  quietly ctest --preset asan-ubsan -j "$at_once"
  summary
}

step_tsan() {
  install_packages "${packages_build[@]}" "${packages_tests[@]}" "${packages_clang_new[@]}"
  echo "== tsan: build and test with clang 19 and ThreadSanitizer"
  build tsan clang++-19
  # ThreadSanitizer wants its shadow at fixed addresses; with much randomization, something else may be
  # there. Containers may forbid to switch it off.
  local fixed_addresses=()
  if setarch -R true 2>/dev/null; then
    fixed_addresses=(setarch -R)
  fi
  quietly "${fixed_addresses[@]}" ctest --preset tsan -j "$at_once"
  summary
}

step_tidy() {
  install_packages "${packages_build[@]}" "${packages_tests[@]}" "${packages_pass[@]}" "${packages_tidy[@]}"
  echo "== tidy: clang-tidy 14"
  quietly cmake --preset dev -B build/tidy -DCMAKE_CXX_COMPILER="$(command -v clang++-14)"
  quietly tools/tidy.sh build/tidy
}

step_release() {
  install_packages "${packages_build[@]}" "${packages_tests[@]}" "${packages_pass[@]}"
  echo "== release: build and test with g++"
  build release g++ -DANYORDER_WERROR=ON -DANYORDER_BUILD_UNIT_TESTS=OFF -DANYORDER_BENCH_TSAN=OFF
  ctest --preset release --no-label-summary -j "$at_once" 2>&1 | tee -a "$log"
  summary # again: a list of tests that were skipped may follow it
}

for argument in "$@"; do
  case $argument in
    -h | --help)
      usage
      exit 0
      ;;
  esac
  if [[ " ${all_steps[*]} " != *" $argument "* ]]; then
    echo "test.sh: there is no step '$argument'" >&2
    usage >&2
    exit 64
  fi
done
if [[ $# -eq 0 ]]; then
  set -- "${all_steps[@]}"
fi

mkdir -p build/logs
for step in "$@"; do
  log=build/logs/$step.log
  : >"$log"
  "step_${step//-/_}"
done
