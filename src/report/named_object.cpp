#include "report/named_object.hpp"

#include <variant>

namespace anyorder::report {

NamedObject named_object(const Report& report, const findings::Race& race) {
  NamedObject object;
  if (const auto* global = std::get_if<findings::GlobalMemory>(&race.memory.object)) {
    object.variable = global->symbol;
  } else if (const auto* local = std::get_if<findings::LocalMemory>(&race.memory.object)) {
    object.variable = local->variable;
  }
  if (const auto type = report.types.find(race.memory); type != report.types.end()) {
    object.type = type->second->name;
    object.part = part_at(*type->second, race.offset(), race.size);
  }
  return object;
}

}  // namespace anyorder::report
