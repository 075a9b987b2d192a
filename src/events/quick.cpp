#include "events/quick.hpp"

#include "events/quick_steps.hpp"

namespace anyorder::events {

QuickLine quick_no_lines[kQuickLines]{};
QuickRun quick_no_runs[kQuickRuns]{};

}  // namespace anyorder::events

constinit thread_local anyorder::events::QuickThread anyorder_quick_thread_3{};
bool anyorder_quick_watch_1 = false;
anyorder::events::QuickSteps anyorder_quick_steps_3{};
constinit thread_local anyorder::events::QuickKnown* anyorder_quick_known_4 = nullptr;
