#!/bin/bash
# Builds anyorder, checks a racy example and shows the report. Installs what is missing on Debian 12.
set -euo pipefail
cd "$(dirname "$0")"

if [[ $# -ne 0 ]]; then
  echo "usage: ./demo.sh    builds anyorder, checks examples/racy/missing_join.cpp and shows the report"
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
  cmake --preset release -B build/demo -DANYORDER_BUILD_TESTS=OFF -DANYORDER_BUILD_BENCH=OFF \
    -DANYORDER_BUILD_EXAMPLES=OFF &&
    cmake --build build/demo
} </dev/null >build/demo.log 2>&1; then
  cat build/demo.log >&2
  echo "The build failed; its output is above." >&2
  exit 1
fi

show() {
  echo
  echo "$ anyorder $*"
  build/demo/bin/anyorder "$@"
}

show c++ -O2 examples/racy/missing_join.cpp -o build/demo/missing_join
status=0
show check -- build/demo/missing_join || status=$?
echo
if [[ $status -ne 66 ]]; then
  echo "The check should have found the race and ended with 66, but ended with $status." >&2
  exit 1
fi
echo "The command is build/demo/bin/anyorder. Exit code 66: races were found."
