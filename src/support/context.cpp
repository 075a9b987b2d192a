#include "support/context.hpp"

#include <boost/context/detail/fcontext.hpp>
#include <cstring>
#include <cxxabi.h>

#include "support/sanitizers.hpp"

#if ANYORDER_ASAN
#include <sanitizer/common_interface_defs.h>
#endif
#if ANYORDER_TSAN
#include <sanitizer/tsan_interface.h>
#endif

#if defined(__x86_64__)
// Arguments as of Context::call_on. The frame pointer leads back to the caller's stack.
asm(R"(
  .pushsection .text
  .p2align 4
  .type anyorder_call_on_stack, @function
anyorder_call_on_stack:
  .cfi_startproc
  endbr64
  pushq %rbp
  .cfi_def_cfa_offset 16
  .cfi_offset %rbp, -16
  movq %rsp, %rbp
  .cfi_def_cfa_register %rbp
  movq %rdi, %rsp
  movq %rdx, %rdi
  callq *%rsi
  movq %rbp, %rsp
  popq %rbp
  .cfi_def_cfa %rsp, 8
  ret
  .cfi_endproc
  .size anyorder_call_on_stack, .-anyorder_call_on_stack
  .popsection
)");
extern "C" [[gnu::visibility("hidden")]] void anyorder_call_on_stack(char* high, void (*f)(void*),
                                                                     void* argument) noexcept;
#endif

namespace anyorder::support {

namespace fcontext = boost::context::detail;

static_assert(sizeof(ExceptionState) == 16);

namespace {

// Of the calling thread, where it stays as long as the thread lives. To ask for it takes two calls, and each
// task asks five times.
constinit thread_local void* t_globals = nullptr;

void* globals() noexcept {
  if (t_globals == nullptr) [[unlikely]]
    t_globals = abi::__cxa_get_globals();
  return t_globals;
}

}  // namespace

ExceptionState ExceptionState::get() noexcept {
  ExceptionState state;
  std::memcpy(&state, globals(), sizeof(state));
  return state;
}

void ExceptionState::set() const noexcept { std::memcpy(globals(), this, sizeof(*this)); }

struct Context::Transfer {
  Context* from;
  Context* to;
  After after;
  void* argument;
};

Context::Context(const char* low, std::size_t bytes) noexcept : low_(low), bytes_(bytes) {
#if ANYORDER_TSAN
  fiber_ = __tsan_get_current_fiber();
#endif
}

Context::Context(char* low, std::size_t bytes, Entry entry) noexcept
    : point_(fcontext::make_fcontext(low + bytes, bytes, &Context::begin<fcontext::transfer_t>)),
      entry_(entry),
      low_(low),
      bytes_(bytes) {
#if ANYORDER_TSAN
  fiber_ = __tsan_create_fiber(0);
  owns_fiber_ = true;
#endif
}

Context::~Context() {
#if ANYORDER_TSAN
  if (owns_fiber_) __tsan_destroy_fiber(fiber_);
#endif
}

void Context::arrive(Context& self, void* transfer, void* saved_point) noexcept {
  const Transfer& switched = *static_cast<Transfer*>(transfer);
#if ANYORDER_ASAN
  __sanitizer_finish_switch_fiber(self.fake_stack_, nullptr, nullptr);
#endif
  switched.from->point_ = saved_point;
  self.exceptions_.set();
  const After after = switched.after;
  void* const argument = switched.argument;
  // From here on `switched`, which lies on from's stack, may be gone.
  after(argument);
}

template <class BoostTransfer>
void Context::begin(BoostTransfer transfer) noexcept {
  Context& self = *static_cast<Transfer*>(transfer.data)->to;
  arrive(self, transfer.data, transfer.fctx);
  self.entry_(self);
  __builtin_unreachable();
}

void Context::switch_to(Context& from, Context& to, After after, void* argument) noexcept {
  Transfer transfer{&from, &to, after, argument};
  from.exceptions_ = ExceptionState::get();
  void* const point = to.point_;
  to.point_ = nullptr;
#if ANYORDER_ASAN
  __sanitizer_start_switch_fiber(&from.fake_stack_, to.low_, to.bytes_);
#endif
#if ANYORDER_TSAN
  __tsan_switch_to_fiber(to.fiber_, 0);  // what one thread did before goes before what it does after
#endif
  const fcontext::transfer_t back = fcontext::jump_fcontext(point, &transfer);
  arrive(from, back.data, back.fctx);
}

void Context::call_on(char* high, void (*f)(void* argument), void* argument) noexcept {
#if defined(__x86_64__)
  anyorder_call_on_stack(high, f, argument);
#else
  static_cast<void>(high);
  f(argument);
#endif
}

}  // namespace anyorder::support
