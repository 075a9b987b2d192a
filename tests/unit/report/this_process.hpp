// The test program as a process that was checked: its modules, places in its code.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <link.h>
#include <string>
#include <unistd.h>
#include <vector>

#include "record/run.hpp"

namespace anyorder::report {

inline std::string this_program() { return std::filesystem::read_symlink("/proc/self/exe").string(); }

inline std::vector<record::Module> these_modules() {
  std::vector<record::Module> modules;
  ::dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* list) {
        record::Module module{UINTPTR_MAX, 0, info->dlpi_addr, info->dlpi_name};
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const auto& segment = info->dlpi_phdr[i];
          if (segment.p_type != PT_LOAD) continue;
          module.begin = std::min<std::uintptr_t>(module.begin, info->dlpi_addr + segment.p_vaddr);
          module.end =
              std::max<std::uintptr_t>(module.end, info->dlpi_addr + segment.p_vaddr + segment.p_memsz);
        }
        static_cast<std::vector<record::Module>*>(list)->push_back(std::move(module));
        return 0;
      },
      &modules);
  modules.front().path = this_program();
  std::sort(modules.begin(), modules.end(), [](const auto& a, const auto& b) { return a.begin < b.begin; });
  return modules;
}

inline record::Process this_process() {
  record::Process process;
  process.pid = ::getpid();
  process.program = this_program();
  process.detector = "graph";
  process.instrumented = true;
  process.modules = these_modules();
  process.ending = record::Ending::complete;
  return process;
}

inline std::uintptr_t address_of(const void* place) { return reinterpret_cast<std::uintptr_t>(place); }

// A place in the caller's code, on the line of the call.
[[gnu::noinline]] inline std::uintptr_t here() {
  void* result = __builtin_return_address(0);
  asm volatile("" : "+r"(result) : : "memory");
  return address_of(result) - 1;
}

}  // namespace anyorder::report
