# Debian packages that the project's commands need, and their installation. Sourced by bash scripts.

# shellcheck shell=bash disable=SC2034  # the lists are used where this file is sourced
packages_build=(g++ cmake ninja-build libtbb-dev libboost-context-dev libdw-dev nlohmann-json3-dev libcli11-dev)
# graphviz reads the exported graphs, xmllint of libxml2-utils the plots.
packages_tests=(libgtest-dev libbenchmark-dev graphviz libxml2-utils)
packages_clang=(clang-14 libclang-rt-14-dev llvm) # llvm: llvm-symbolizer, for readable reports
packages_clang_new=(clang-19 libclang-rt-19-dev llvm)
packages_pass=(clang-19 llvm-19-dev) # for frontends/llvm_pass, which is not built without them
packages_format=(clang-format-14)
packages_tidy=(clang-14 clang-tidy-14)

# install_packages <package>...: installs those that are missing; does nothing, and needs no network,
# when none is.
install_packages() {
  local package missing=() as_root=()
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    echo "This is no Debian: please see to it that what these packages hold is installed: $*" >&2
    return 0
  fi
  for package in "$@"; do
    if [[ $(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null) != installed ]]; then
      missing+=("$package")
    fi
  done
  if [[ ${#missing[@]} -eq 0 ]]; then
    return 0
  fi

  if [[ $(id -u) -ne 0 ]]; then
    if ! command -v sudo >/dev/null; then
      echo "Packages are missing, and only root can install them. As root, run:" >&2
      echo "  apt-get install --no-install-recommends ${missing[*]}" >&2
      return 69
    fi
    as_root=(sudo)
  fi

  echo "Installing: ${missing[*]}"
  local log
  log=$(mktemp)
  if ! { "${as_root[@]}" apt-get -q update &&
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y install --no-install-recommends \
      "${missing[@]}"; } >"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    echo "These packages could not be installed: ${missing[*]}" >&2
    return 69
  fi
  rm -f "$log"
}
