// What the statements of a program do, in instrumented code over the public API.
//
// These functions are a library of their own, which is instrumented; who walks the programs is not, and is
// another module, so that nothing that the walk does to its own memory is checked.
//
// Contract: called by the task that does the action. The functions of the walker are called back as the
// bodies of tasks and sections.
#pragma once

#include <cstddef>

namespace anyorder {
class region;
}

namespace anyorder::differential {

struct Handle;  // an ao::future in checked memory, or in a closure
struct Frame;   // what the walker has to know to run a body

inline constexpr std::size_t kHandleSize = 8;

// --- Defined by the walker --------------------------------------------------------------------------------

// An async or a future: the index of the loop around it is that of its parent.
inline constexpr int kSameIndex = -1;
// The body of a task, with the handles that it captured.
void run_task(const Frame& frame, Handle* first, Handle* second, int index);
// The body of a finish or of an isolated section.
void run_here(const Frame& frame);
// The body of a region, which is that from now on.
void run_in_region(const Frame& frame, region& made);
void run_handler(const Frame& frame);
// Asked when the statement comes to it; null: there is none.
Handle* find_target(const Frame& frame);
Handle* find_result(const Frame& frame, Handle* first, Handle* second);

// --- Actions ----------------------------------------------------------------------------------------------

void read_bytes(const void* at, int size);
void write_bytes(void* at, int size);

void construct_handle(void* at);
void destroy_handle(Handle& handle);
void copy_handle(Handle& target, const Handle& source);
void move_handle(Handle& target, Handle& source);

// A null capture is an empty handle.
struct Captures {
  int count;
  const Handle* first;
  const Handle* second;
};
void make_async(const Frame& frame, Captures captures);
void make_future(const Frame& frame, Captures captures);
void get_future(const Frame& frame, const Handle& source);
void make_finish(const Frame& frame);
void make_region(const Frame& frame);
void make_post(const Frame& frame, Captures captures, region& in, bool handled);
void await_region(region& of);
// finish { async { the body } }
void run_in_finish(const Frame& frame);
void make_forall(const Frame& frame, Captures captures, int count);
void make_forasync(const Frame& frame, Captures captures, int count);
void make_isolated(const Frame& frame, int count, const void* first, const void* second, const void* third);

// Blocks of one slot always come from the same one of the allocators.
void* allocate_block(int slot, int bytes);
void free_block(int slot, void* block);
// Two empty handles in a row.
void* allocate_box();
void free_box(void* box);

}  // namespace anyorder::differential
