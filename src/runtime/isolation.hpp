// What others ask about isolated sections.
#pragma once

namespace anyorder::runtime {

// Whether the process has been in one while somebody followed the run. Then handles may have come by it.
[[nodiscard]] bool any_isolated() noexcept;

}  // namespace anyorder::runtime
