#include "binding/check/address_space.hpp"

#include <algorithm>
#include <link.h>
#include <span>

#include "runtime/worker.hpp"
#include "support/stack_memory.hpp"

namespace anyorder::binding {
namespace {

AddressRange range_of(const dl_phdr_info& info) {
  AddressRange range{UINTPTR_MAX, 0};
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const auto& segment = info.dlpi_phdr[i];
    if (segment.p_type != PT_LOAD) continue;
    range.begin = std::min<std::uintptr_t>(range.begin, info.dlpi_addr + segment.p_vaddr);
    range.end = std::max<std::uintptr_t>(range.end, info.dlpi_addr + segment.p_vaddr + segment.p_memsz);
  }
  return range;
}

std::size_t thread_local_bytes(const dl_phdr_info& info) {
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    if (info.dlpi_phdr[i].p_type == PT_TLS) return info.dlpi_phdr[i].p_memsz;
  }
  return 0;
}

// Those of the calling thread; empty if it has none.
AddressRange thread_locals_of(const dl_phdr_info& info) {
  const auto begin = reinterpret_cast<std::uintptr_t>(info.dlpi_tls_data);
  if (begin == 0) return {};
  return {begin, begin + thread_local_bytes(info)};
}

bool is_cxx_library(const dl_phdr_info& info) {
  return std::string_view(info.dlpi_name).find("libstdc++.so") != std::string_view::npos;
}

// The dynamic section of a loaded module, with addresses as the dynamic linker has made them.
struct Dynamic {
  const ElfW(Sym) * symbols = nullptr;
  const char* names = nullptr;
  std::span<const ElfW(Rela)> calls;
  std::span<const ElfW(Rela)> data;
};

Dynamic dynamic_of(const dl_phdr_info& info) {
  Dynamic dynamic;
  const ElfW(Rela)* calls = nullptr;
  const ElfW(Rela)* data = nullptr;
  std::size_t call_bytes = 0;
  std::size_t data_bytes = 0;
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    if (info.dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
    const auto* entry = reinterpret_cast<const ElfW(Dyn)*>(info.dlpi_addr + info.dlpi_phdr[i].p_vaddr);
    for (; entry->d_tag != DT_NULL; ++entry) {
      const auto address = entry->d_un.d_ptr;
      // The kernel's own module keeps addresses that nobody has relocated.
      if (address < info.dlpi_addr && (entry->d_tag == DT_SYMTAB || entry->d_tag == DT_STRTAB)) return {};
      switch (entry->d_tag) {
        case DT_SYMTAB:
          dynamic.symbols = reinterpret_cast<const ElfW(Sym)*>(address);
          break;
        case DT_STRTAB:
          dynamic.names = reinterpret_cast<const char*>(address);
          break;
        case DT_JMPREL:
          calls = reinterpret_cast<const ElfW(Rela)*>(address);
          break;
        case DT_PLTRELSZ:
          call_bytes = entry->d_un.d_val;
          break;
        case DT_RELA:
          data = reinterpret_cast<const ElfW(Rela)*>(address);
          break;
        case DT_RELASZ:
          data_bytes = entry->d_un.d_val;
          break;
        default:
          break;
      }
    }
  }
  if (dynamic.symbols == nullptr || dynamic.names == nullptr) return {};
  if (calls != nullptr) dynamic.calls = {calls, call_bytes / sizeof(ElfW(Rela))};
  if (data != nullptr) dynamic.data = {data, data_bytes / sizeof(ElfW(Rela))};
  return dynamic;
}

bool imports(const dl_phdr_info& info, std::string_view function) {
  const Dynamic dynamic = dynamic_of(info);
  if (dynamic.symbols == nullptr) return false;
  const auto refers = [&](const ElfW(Rela) & relocation) {
    const auto& symbol = dynamic.symbols[ELF64_R_SYM(relocation.r_info)];
    return symbol.st_shndx == SHN_UNDEF && function == dynamic.names + symbol.st_name;
  };
  return std::any_of(dynamic.calls.begin(), dynamic.calls.end(), refers) ||
         std::any_of(dynamic.data.begin(), dynamic.data.end(), refers);
}

AddressRange to_range(const support::StackMemory& memory) {
  return {reinterpret_cast<std::uintptr_t>(memory.low()), reinterpret_cast<std::uintptr_t>(memory.high())};
}
AddressRange to_range(const support::StackBounds& bounds) {
  return {reinterpret_cast<std::uintptr_t>(bounds.low),
          reinterpret_cast<std::uintptr_t>(bounds.low) + bounds.bytes};
}

// The calling thread's own. It is asked for once: the C library reads a file to find it.
const AddressRange& own_stack() {
  static constinit thread_local AddressRange t_own;
  if (t_own.end == 0) t_own = to_range(support::own_stack());
  return t_own;
}

// The stack of the calling thread that holds the address.
std::optional<AddressRange> stack_at(std::uintptr_t address) {
  const runtime::Worker* const worker = runtime::this_worker();
  if (worker != nullptr) {
    for (const runtime::Strand* strand : {worker->strand, worker->serial.get()}) {
      if (strand == nullptr) continue;
      const AddressRange range = to_range(strand->memory);
      if (range.contains(address)) return range;
    }
  }
  if (own_stack().contains(address)) return own_stack();
  return std::nullopt;
}

// The canonical frame address of a call whose frame begins at `call.stack`: one word above its return
// address, which stands in memory as long as the call does. 0 if it is not found.
std::uintptr_t frame_address(const Call& call, std::uintptr_t above, const AddressRange& stack) {
  constexpr std::uintptr_t kLargestFrame = std::uintptr_t{8} << 20U;
  constexpr std::uintptr_t kWord = sizeof(std::uintptr_t);
  const std::uintptr_t end = std::min(stack.end, call.stack + kLargestFrame);
  std::uintptr_t at = std::max(call.stack, above & ~(kWord - 1));
  for (; at + kWord <= end; at += kWord) {
    if (*reinterpret_cast<const std::uintptr_t*>(at) == call.call_pc) return at + kWord;
  }
  return 0;
}

}  // namespace

std::vector<AddressRange> modules_that_import(std::string_view function) {
  struct Search {
    std::string_view function;
    std::vector<AddressRange> found;
  } search{function, {}};
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) {
        auto& sought = *static_cast<Search*>(data);
        if (imports(*info, sought.function)) sought.found.push_back(range_of(*info));
        return 0;
      },
      &search);
  return search.found;
}

bool is_thread_local(std::uintptr_t address) {
  return dl_iterate_phdr(
             [](dl_phdr_info* info, std::size_t, void* data) {
               return thread_locals_of(*info).contains(*static_cast<std::uintptr_t*>(data)) ? 1 : 0;
             },
             &address) != 0;
}

bool is_of_cxx_library(std::uintptr_t address) {
  return dl_iterate_phdr(
             [](dl_phdr_info* info, std::size_t, void* data) {
               if (!range_of(*info).contains(*static_cast<std::uintptr_t*>(data))) return 0;
               return is_cxx_library(*info) ? 1 : 0;
             },
             &address) != 0;
}

bool ExemptMemory::contains(std::uintptr_t address) {
  std::pair<unsigned long long, unsigned long long> loaded;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) {
        *static_cast<decltype(loaded)*>(data) = {info->dlpi_adds, info->dlpi_subs};
        return 1;
      },
      &loaded);
  if (!complete_ || loaded_ != loaded) look_up();
  loaded_ = loaded;
  return std::any_of(ranges_.begin(), ranges_.end(),
                     [&](const AddressRange& range) { return range.contains(address); });
}

void ExemptMemory::look_up() {
  ranges_.clear();
  complete_ = true;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) {
        auto& found = *static_cast<ExemptMemory*>(data);
        if (const AddressRange own = thread_locals_of(*info); own.end != 0) found.ranges_.push_back(own);
        // Those of a module that was loaded late are made when a thread first uses one.
        if (info->dlpi_tls_data == nullptr && thread_local_bytes(*info) != 0) found.complete_ = false;
        if (is_cxx_library(*info)) found.ranges_.push_back(range_of(*info));
        return 0;
      },
      this);
}

std::optional<findings::LocalMemory> local_at(std::uintptr_t address, const CallStack& calls) {
  const std::optional<AddressRange> stack = stack_at(address);
  if (!stack) return std::nullopt;
  // Frames do not overlap: the owner's is the one that begins closest below. What a function takes from the
  // stack later (alloca, arrays of variable length) is below its frame, and above those of the functions that
  // it calls.
  const Call* owner = nullptr;
  const Call* above = nullptr;
  for (std::size_t i = 0; i != calls.kept(); ++i) {
    const Call& call = calls[i];
    if (!stack->contains(call.stack)) continue;
    if (call.stack > address) {
      if (above == nullptr || call.stack <= above->stack) above = &call;
    } else if (owner == nullptr || call.stack >= owner->stack) {
      owner = &call;
    }
  }
  findings::LocalMemory local;
  if (owner != nullptr) {
    local.pc = owner->own_pc;
    local.cfa = frame_address(*owner, address, *stack);
  }
  if (local.cfa == 0 && above != nullptr) local.pc = above->own_pc;
  return local;
}

std::optional<findings::LocalMemory> local_elsewhere(std::uintptr_t address, const AddressRange& stack,
                                                     const CallStack& calls) {
  for (std::size_t i = 0; i != calls.kept(); ++i) {
    const Call& call = calls[i];
    if (!stack.contains(call.stack) || call.stack > address) continue;
    return findings::LocalMemory{{}, {}, call.own_pc, frame_address(call, address, stack)};
  }
  return std::nullopt;
}

AddressRange range_of_stack() {
  const runtime::Worker* const worker = runtime::this_worker();
  if (worker != nullptr && worker->strand != nullptr && worker->strand->memory.bytes() != 0) {
    return to_range(worker->strand->memory);
  }
  return own_stack();
}

}  // namespace anyorder::binding
