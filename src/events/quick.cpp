#include "events/quick.hpp"

#include "events/quick_steps.hpp"

constinit thread_local anyorder::events::QuickThread anyorder_quick_thread_2{};
char* anyorder_quick_cells_2 = nullptr;
bool anyorder_quick_watch_1 = false;
anyorder::events::QuickSteps anyorder_quick_steps_3{};
constinit thread_local anyorder::events::QuickKnown* anyorder_quick_known_4 = nullptr;
