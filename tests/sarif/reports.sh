#!/bin/bash
# Reports of the command are SARIF, and a race keeps its fingerprint: reports.sh <anyorder> <check_sarif> <folder>
set -euo pipefail
anyorder=$(realpath "$1")
check_sarif=$(realpath "$2")
root=$(realpath "$(dirname "$0")/../..")
mkdir -p "$3"
cd "$3"
rm -rf -- *
export ANYORDER_CXX=g++
fails=0

# report <file> <exit code> <word of the command>...: writes SARIF, which has to be valid.
report() {
  local file=$1 expected=$2 status=0
  shift 2
  "$anyorder" "$1" --sarif "$file" "${@:2}" >/dev/null 2>report.txt || status=$?
  if [[ $status -ne $expected ]]; then
    fails=1
    echo "$file: ended with $status, not $expected" && cat report.txt
  fi
  "$check_sarif" "$file" || fails=1
}
fingerprints() { grep anyorderRace/v1 "$1" | sort; }
# same <what> <file> <file>
same() {
  [[ -n $(fingerprints "$2") && $(fingerprints "$2") == $(fingerprints "$3") ]] && return
  fails=1
  echo "$1 changes fingerprints:" && fingerprints "$2" && fingerprints "$3"
}

# Two pairs of lines that look alike, memory of each kind, a path with characters that are not for addresses, a library.
mkdir 'source #1'
cat >'source #1/ö 100%.cpp' <<'END'
#include <algorithm>
#include <anyorder/anyorder.hpp>
#include <memory>
#include <vector>
namespace ao = anyorder;
int counter;
void add(std::vector<int>& list) {
  ++counter;
  list[3] = 1;
  std::fill(list.begin(), list.end(), 2);
}
int main() {
  std::vector<int> list(5);
  int local = 0;
  ao::finish([&] {
    ao::async([&] { add(list); });
    ao::async([&] { add(list); });
    ao::forasync(0, 3, [&](int i) { local = i; });
    local = 3;
  });
}
END
build() { "$anyorder" c++ -O1 -g "source #1/ö 100%.cpp" -o racy; }
build
report first.sarif 66 check -- ./racy
report again.sarif 66 check -- ./racy
same "Another run" first.sarif again.sarif
report graph.sarif 66 check --detector graph -- ./racy
report explained.sarif 66 check --explain -- ./racy
mkdir elsewhere
cd elsewhere
report ../elsewhere.sarif 66 check -- ../racy
cd ..
same "Another folder" first.sarif elsewhere.sarif
strip -o stripped racy
report stripped.sarif 66 check -- ./stripped

# Lines that come in front of a race do not make another one of it.
sed -i '7i\\n// A comment.' 'source #1/ö 100%.cpp'
build
report moved.sarif 66 check -- ./racy
same "An empty line above the race" first.sarif moved.sarif
grep -q '"startLine": 10' moved.sarif || { fails=1 && echo "the line did not move"; }
sed -i 's/++counter;/counter += 2;/' 'source #1/ö 100%.cpp'
build
report other.sarif 66 check -- ./racy
[[ $(fingerprints other.sarif) != $(fingerprints first.sarif) ]] || { fails=1 && echo "another line has the old fingerprint"; }

# The other kinds of finding.
for name in figure_one.race handle.deadlock region_two_waits.deadlock; do
  "$anyorder" c++ -O1 -g "$root/tests/explore/programs/$name.cpp" -o "$name"
  report "$name.sarif" 66 explore -- "./$name"
done
"$anyorder" c++ -O1 -g "$root/tests/cli/listing_2_2.cpp" -o deadlock
report deadlock.sarif 66 run -- ./deadlock caught
"$anyorder" c++ -O1 -g "$root/tests/cli/unknown_join.cpp" -o unknown_join
report unknown_join.sarif 65 check --joins known -- ./unknown_join
report unknown.sarif 65 check -- true
"$anyorder" c++ -O1 -g "$root/tests/cli/chain.cpp" -o clean
report clean.sarif 0 check -- ./clean
exit $fails
