#include "record/modules.hpp"

#include <algorithm>
#include <array>
#include <climits>
#include <link.h>
#include <unistd.h>

namespace anyorder::record {
namespace {

Module module_of(const dl_phdr_info& info) {
  Module module;
  module.bias = info.dlpi_addr;
  module.path = info.dlpi_name;
  module.begin = UINTPTR_MAX;
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const auto& segment = info.dlpi_phdr[i];
    if (segment.p_type != PT_LOAD) continue;
    module.begin = std::min<std::uintptr_t>(module.begin, info.dlpi_addr + segment.p_vaddr);
    module.end = std::max<std::uintptr_t>(module.end, info.dlpi_addr + segment.p_vaddr + segment.p_memsz);
  }
  return module;
}

}  // namespace

std::string path_of_executable() {
  std::array<char, PATH_MAX> path;
  const ssize_t length = readlink("/proc/self/exe", path.data(), path.size());
  return length < 0 ? std::string() : std::string(path.data(), static_cast<std::size_t>(length));
}

std::vector<Module> loaded_modules() {
  std::vector<Module> modules;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* all) {
        Module module = module_of(*info);
        if (module.begin >= module.end) return 0;
        if (module.path.empty()) module.path = path_of_executable();
        static_cast<std::vector<Module>*>(all)->push_back(std::move(module));
        return 0;
      },
      &modules);
  return modules;
}

}  // namespace anyorder::record
