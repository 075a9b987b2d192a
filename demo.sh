#!/bin/bash
# Builds anyorder and runs an example in parallel, then serially. Installs what is missing on Debian 12.
set -euo pipefail
cd "$(dirname "$0")"

if [[ $# -ne 0 ]]; then
  echo "usage: ./demo.sh    builds the library and runs an example in parallel, then serially"
  [[ $1 == --help || $1 == -h ]] && exit 0
  exit 64
fi

# shellcheck source=tools/packages.sh
source tools/packages.sh
install_packages "${packages_build[@]}"

# A build of its own, next to the one of the release preset, which has the tests in it.
echo "Building anyorder..."
mkdir -p build
if ! {
  cmake --preset release -B build/demo -DANYORDER_BUILD_TESTS=OFF -DANYORDER_BUILD_BENCH=OFF &&
    cmake --build build/demo
} </dev/null >build/demo.log 2>&1; then
  cat build/demo.log >&2
  echo "The build failed; its output is above." >&2
  exit 1
fi

for executor in parallel serial; do
  case $executor in
    parallel) how="in parallel, on $(nproc) cores" ;;
    serial) how="serially, in depth-first order" ;;
  esac
  echo
  echo "== examples/fib.cpp, $how"
  ANYORDER_EXECUTOR=$executor build/demo/examples/example_fib
done
echo
echo "The same program, compiled once, gave the lines above in both orders."
