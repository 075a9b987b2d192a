#include "events/quick.hpp"

constinit thread_local anyorder::events::QuickThread anyorder_quick_thread_1{};
char* anyorder_quick_cells_1 = nullptr;
bool anyorder_quick_watch_1 = false;
