#!/bin/bash
# Reports of programs about which little is known, or about which what is known is odd: survive.sh <anyorder> <folder>
set -euo pipefail
anyorder=$(realpath "$1")
mkdir -p "$2"
cd "$2"
rm -rf -- *

cat >racy.cpp <<'EOF'
#include <anyorder/anyorder.hpp>
#include <array>
namespace ao = anyorder;
template <int... I>
struct Long {
  static inline int value = 0;
  static void set(int to) { value = to; }
};
template <int... I>
Long<I...> make(std::integer_sequence<int, I...>);
using Longest = decltype(make(std::make_integer_sequence<int, 1500>()));
int results[16];
int main() {
  ao::finish([] {
    ao::async([] { results[12] = 1; });
    results[12] = 2;
    ao::async([] { Longest::set(1); });
    Longest::set(2);
  });
}
EOF
odd=$'odd \xff name.cpp'
cp racy.cpp "$odd"
export ANYORDER_CXX=g++
"$anyorder" c++ -O0 -g racy.cpp -o racy
"$anyorder" c++ -O0 -g "$odd" -o odd
objcopy --strip-debug racy no_debug
strip -o stripped racy

fails=0
# expect <what> <program> <words>... -- [option]...: the check ends with 66 and prints these words, and writes all formats.
expect() {
  local what=$1 program=$2 status=0
  shift 2
  local words=()
  while [[ $1 != -- ]]; do words+=("$1") && shift; done
  shift
  "$anyorder" check --json report.json --sarif report.sarif "$@" -- "./$program" >/dev/null 2>report.txt || status=$?
  local missing=()
  [[ $status -eq 66 ]] || missing+=("exit code 66, not $status")
  for word in "${words[@]}"; do grep -qF -- "$word" report.txt || missing+=("$word"); done
  [[ $(wc -L <report.txt) -lt 1000 ]] || missing+=("lines that can be read")
  iconv -f UTF-8 -t UTF-8 report.txt >/dev/null || missing+=("text in UTF-8")
  iconv -f UTF-8 -t UTF-8 report.json >/dev/null || missing+=("JSON in UTF-8")
  iconv -f UTF-8 -t UTF-8 report.sarif >/dev/null || missing+=("SARIF in UTF-8")
  [[ ${#missing[@]} -eq 0 ]] && return
  fails=1
  printf '%s: missing: %s\n' "$what" "${missing[@]}"
  cut -c 1-300 report.txt
}

expect "with everything" racy 'write-write race on results[12] (int)' 'results[12] = 2;' 'Long<0, 1, 2' '…' --
expect "a path that is no UTF-8" odd 'race on results[12] (int)' 'name.cpp:15' --
expect "no debug information" no_debug 'race on offset 48 of results (4 bytes)' --
expect "stripped" stripped 'race: ' --
touch racy.cpp
expect "source changed since" racy 'race on results[12] (int)' 'has changed since the program was built' --
rm racy.cpp
expect "source missing" racy 'race on results[12] (int)' 'racy.cpp:16' --

# Races that are known or intended are no findings.
# clean <what> <words> <program> [option]...
clean() {
  local what=$1 words=$2 program=$3 status=0
  shift 3
  "$anyorder" check "$@" -- "./$program" >/dev/null 2>report.txt || status=$?
  if [[ $status -ne 0 ]] || ! grep -qF -- "$words" report.txt; then
    fails=1
    echo "$what: ended with $status; missing: $words" && cut -c 1-300 report.txt
  fi
}
cat >expected.cpp <<'EOF'
#include <anyorder/anyorder.hpp>
namespace ao = anyorder;
int hint[4];
int main() {
  ao::expect_race(hint, "only a hint");
  ao::async([] { hint[2] = 1; });
  hint[2] = 2;
}
EOF
"$anyorder" c++ -O0 expected.cpp -o expected
clean "expected" "expected.cpp:5 in main: 1 race was expected (only a hint)" expected
clean "expected, by another detector" "expected.cpp:5 in main: 1 race was expected (only a hint)" expected --detector graph
printf '%s\n' '# both' 'variable results' 'function Long<*>::set  # long' 'line other.cpp:1' >list
clean "suppressed" "list: 2 pairs of source lines are suppressed" racy --suppressions list
clean "an entry without a race" "list, line 4: line other.cpp:1: matches no race" racy --suppressions list
for format in json sarif; do
  "$anyorder" check --$format known -- ./racy >/dev/null 2>&1 || true
  clean "known by its $format" "known: 0 races are new, 2 were known, 0 are gone" racy --baseline known
done

# The disk is full: the text is there all the same, and an error.
status=0
"$anyorder" check --json /dev/full -- ./racy >/dev/null 2>report.txt || status=$?
if [[ $status -ne 66 ]] || ! grep -q 'race on results\[12\]' report.txt ||
  ! grep -q 'could not be written to /dev/full: No space left' report.txt; then
  fails=1
  echo "a full disk: ended with $status" && cat report.txt
fi

# 10,000 races on 3 pairs of lines: three entries with counts, at once.
cat >many.cpp <<'END'
#include <anyorder/anyorder.hpp>
namespace ao = anyorder;
long results[10002];
long copies[10002];
int main() {
  ao::finish([] {
    ao::forasync(0, 6668, [](int i) { results[i] = i; });
    ao::forasync(6668, 10002, [](int i) { copies[i] = results[i]; });
    ao::forasync(0, 3334, [](int i) { results[i] = 1; });
    ao::forasync(3334, 6668, [](int i) { results[i] = 2; });
    ao::forasync(6668, 10002, [](int i) { results[i] = 3; });
  });
}
END
"$anyorder" c++ -O1 many.cpp -o many
status=0
TIMEFORMAT=%U
{ time "$anyorder" check --json many.json --sarif many.sarif -- ./many >/dev/null 2>report.txt; } \
  2>seconds || status=$?
if [[ $status -ne 66 ]] || [[ $(grep -c ' race on ' report.txt) -ne 3 ]] || [[ $(wc -l <report.txt) -gt 60 ]] ||
  [[ $(grep -c '\[3334 locations, 26672 bytes\]' report.txt) -ne 3 ]] ||
  ! grep -q '3 pairs of source lines race, on 10002 locations' report.txt ||
  [[ $(grep -c '^    {"kind":"' many.json) -ne 10002 ]]; then
  fails=1
  echo "many races: ended with $status" && head -100 report.txt
fi
# Of the processor's time, which other programs do not change much: 0.3 s for the program and its report, here.
if awk '{ exit $1 < 2 }' seconds; then
  fails=1
  echo "many races: $(cat seconds) s"
fi
# The disk is full when some of it is there already.
status=0
"$anyorder" check --json /dev/full -- ./many >/dev/null 2>report.txt || status=$?
if [[ $status -ne 66 ]] || ! grep -q 'could not be written to /dev/full: No space left' report.txt; then
  fails=1
  echo "a full disk and many races: ended with $status" && tail -5 report.txt
fi
# Nobody reads the text any more: the other reports are there all the same.
rm -f many.json status
{ "$anyorder" check --json many.json -- ./many 2>&1 >/dev/null || echo $? >status; } | true
if [[ $(cat status) -ne 66 || $(grep -c '^    {"kind":"' many.json) -ne 10002 ]]; then
  fails=1
  echo "a closed pipe: ended with $(cat status)"
fi
exit $fails
