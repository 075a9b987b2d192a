#include "binding/explore/words.hpp"

#include <bit>
#include <sstream>

#include "findings/own_code.hpp"
#include "record/modules.hpp"
#include "report/image.hpp"
#include "report/symbolizer.hpp"

namespace anyorder::binding {

std::string in_words(const events::SourceSite& site) {
  return std::string(site.file) + ":" + std::to_string(site.line);
}

std::string in_words(const exploring::RaceSeen& race,
                     const std::function<std::string(exploring::TaskNumber)>& name_of) {
  report::Image image(record::loaded_modules(), record::path_of_executable());
  report::Symbolizer symbolizer(image);
  std::ostringstream text;
  const auto kind = [](const exploring::SeenAccess& access) { return access.write ? "write" : "read"; };
  text << "race: " << kind(race.first) << '-' << kind(race.second) << ", at 0x" << std::hex
       << race.word * 8 + static_cast<unsigned>(std::countr_zero(race.bytes)) << std::dec << '\n';
  for (const exploring::SeenAccess& access : {race.first, race.second}) {
    const findings::Trace trace(symbolizer.frames_at(access.site - 1));
    const findings::Frame& frame = findings::frame_in_own_code(trace);
    text << "  " << kind(access) << " at " << frame.source.file << ':' << frame.source.line << " in "
         << frame.source.function << ", by " << name_of(access.task) << '\n';
  }
  return text.str();
}

}  // namespace anyorder::binding
