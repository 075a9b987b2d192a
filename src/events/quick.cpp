#include "events/quick.hpp"

#include "events/quick_steps.hpp"

constinit thread_local anyorder::events::QuickThread anyorder_quick_thread_1{};
char* anyorder_quick_cells_1 = nullptr;
bool anyorder_quick_watch_1 = false;
anyorder::events::QuickSteps anyorder_quick_steps_2{};
constinit thread_local anyorder::events::QuickQuietReads* anyorder_quick_quiet_2 = nullptr;
