#!/bin/bash
# Reports name objects of all kinds as objects.cpp says: objects.sh <anyorder> <compiler> <folder>
set -euo pipefail
anyorder=$(realpath "$1")
export ANYORDER_CXX=$2
source=$(realpath "$(dirname "$0")/objects.cpp")
mkdir -p "$3"
cd "$3"
cp "$source" .
"$anyorder" c++ -O2 -g -Wno-vla-extension objects.cpp -o objects  # clang leaves some code without a line

fails=0
cases=0
while read -r name words; do
  cases=$((cases + 1))
  status=0
  "$anyorder" check -- ./objects "$name" >/dev/null 2>report.txt || status=$?
  if [[ $status -ne 66 ]] || ! grep -qF -- " race on $words" report.txt; then
    fails=1
    printf '%s: ended with %s; missing: race on %s\n' "$name" "$status" "$words"
    cat report.txt
  fi
  # Both accesses are at lines of the program, not at addresses or in libraries.
  if [[ $(grep -cE '^  (write|read) +objects\.cpp:[0-9]+ ' report.txt) -ne $((2 * $(grep -c ' race on ' report.txt))) ]]; then
    fails=1
    printf '%s: an access is not at a line of the program\n' "$name"
    cat report.txt
  fi
done < <(sed -n 's|^// OBJECT \([a-z_]*\): |\1 |p' objects.cpp)
if [[ $cases -lt 30 ]]; then
  fails=1
  echo "only $cases cases were found"
fi
exit $fails
