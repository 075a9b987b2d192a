#include "events/quick.hpp"

constinit thread_local anyorder_quick_thread anyorder_quick_thread_1{};
char* anyorder_quick_cells_1 = nullptr;
bool anyorder_quick_watch_1 = false;
