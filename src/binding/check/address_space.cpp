#include "binding/check/address_space.hpp"

#include <algorithm>
#include <link.h>

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

AddressRange to_range(const support::StackMemory& memory) {
  return {reinterpret_cast<std::uintptr_t>(memory.low()), reinterpret_cast<std::uintptr_t>(memory.high())};
}
AddressRange to_range(const support::StackBounds& bounds) {
  return {reinterpret_cast<std::uintptr_t>(bounds.low),
          reinterpret_cast<std::uintptr_t>(bounds.low) + bounds.bytes};
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
  const AddressRange own = to_range(support::own_stack());
  if (own.contains(address)) return own;
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

std::optional<AddressRange> module_at(std::uintptr_t address) {
  struct Search {
    std::uintptr_t address;
    std::optional<AddressRange> found;
  } search{address, std::nullopt};
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) {
        auto& sought = *static_cast<Search*>(data);
        const AddressRange range = range_of(*info);
        if (!range.contains(sought.address)) return 0;
        sought.found = range;
        return 1;
      },
      &search);
  return search.found;
}

bool is_thread_local(std::uintptr_t address) {
  return dl_iterate_phdr(
             [](dl_phdr_info* info, std::size_t, void* data) {
               const auto begin = reinterpret_cast<std::uintptr_t>(info->dlpi_tls_data);
               const std::uintptr_t sought = *static_cast<std::uintptr_t*>(data);
               return begin != 0 && sought - begin < thread_local_bytes(*info) ? 1 : 0;
             },
             &address) != 0;
}

std::optional<findings::LocalMemory> local_at(std::uintptr_t address, const CallStack& calls) {
  const std::optional<AddressRange> stack = stack_at(address);
  if (!stack) return std::nullopt;
  // Frames do not overlap: the owner's is the one that begins closest below.
  const Call* owner = nullptr;
  for (const Call& call : calls.kept()) {
    if (!stack->contains(call.stack) || call.stack > address) continue;
    if (owner == nullptr || call.stack >= owner->stack) owner = &call;
  }
  findings::LocalMemory local;
  if (owner != nullptr) {
    local.pc = owner->own_pc;
    local.cfa = frame_address(*owner, address, *stack);
  }
  return local;
}

std::uintptr_t bottom_of_stack() {
  const runtime::Worker* const worker = runtime::this_worker();
  if (worker != nullptr && worker->strand != nullptr && worker->strand->memory.bytes() != 0) {
    return to_range(worker->strand->memory).begin;
  }
  return to_range(support::own_stack()).begin;
}

}  // namespace anyorder::binding
