#include "record/codec.hpp"

#include <stdexcept>
#include <utility>

namespace anyorder::record {
namespace {

using findings::Access;
using findings::AccessKind;
using findings::Frame;
using findings::Memory;
using findings::Trace;

Json encode(const Trace& trace) {
  Json frames = Json::array();
  for (const Frame& frame : trace) {
    Json json = Json::array({frame.pc});
    if (!frame.source.file.empty() || !frame.source.function.empty()) {
      json.insert(json.end(),
                  {frame.source.file, frame.source.line, frame.source.column, frame.source.function});
    }
    if (frame.skipped.calls != 0) {
      json.insert(json.end(), {frame.skipped.calls, frame.skipped.period});
    }
    frames.push_back(std::move(json));
  }
  return frames;
}

Trace decode_trace(const Json& json) {
  Trace::Frames frames;
  for (const Json& item : json) {
    Frame frame;
    frame.pc = item.at(0).get<std::uintptr_t>();
    if (item.size() >= 5) {
      frame.source = {item.at(1).get<std::string>(), item.at(2).get<std::uint32_t>(),
                      item.at(3).get<std::uint32_t>(), item.at(4).get<std::string>()};
    }
    if (item.size() == 3 || item.size() == 7) {
      frame.skipped = {item.at(item.size() - 2).get<std::uint64_t>(),
                       item.at(item.size() - 1).get<std::uint64_t>()};
      if (frame.skipped.period > frames.size() + 1) {
        throw std::runtime_error("the record of a call stack makes no sense");
      }
    }
    frames.push_back(std::move(frame));
  }
  return Trace(std::move(frames));
}

Json encode(const Access& access) {
  Json json = {{"write", access.kind == AccessKind::write},
               {"task", access.task},
               {"stack", encode(access.stack)},
               {"created", encode(access.created_at)}};
  if (access.parting) json["parting"] = {access.parting->task, access.parting->generations};
  return json;
}

Access decode_access(const Json& json) {
  Access access{json.at("write").get<bool>() ? AccessKind::write : AccessKind::read,
                json.at("task").get<std::uint64_t>(), decode_trace(json.at("stack")),
                decode_trace(json.at("created"))};
  if (const auto parting = json.find("parting"); parting != json.end()) {
    access.parting = {parting->at(0).get<std::uint64_t>(), parting->at(1).get<std::uint32_t>()};
    if (access.parting->generations > access.created_at.size()) {
      throw std::runtime_error("the record of a parting makes no sense");
    }
  }
  return access;
}

struct EncodeObject {
  Json operator()(const findings::UnknownMemory&) const { return nullptr; }
  Json operator()(const findings::GlobalMemory& global) const { return {{"global", global.symbol}}; }
  Json operator()(const findings::HeapMemory& heap) const {
    return {{"heap", encode(heap.allocated_at)}, {"bytes", heap.bytes}};
  }
  Json operator()(const findings::LocalMemory& local) const {
    return {{"local", {local.function, local.variable, local.pc, local.cfa}}};
  }
};

Memory decode_memory(const Json& json) {
  Memory memory;
  memory.base = json.at("base").get<std::uintptr_t>();
  const Json& object = json.at("object");
  if (object.contains("global")) {
    memory.object = findings::GlobalMemory{object.at("global").get<std::string>()};
  } else if (object.contains("heap")) {
    memory.object =
        findings::HeapMemory{decode_trace(object.at("heap")), object.at("bytes").get<std::uint64_t>()};
  } else if (object.contains("local")) {
    const Json& local = object.at("local");
    memory.object =
        findings::LocalMemory{local.at(0).get<std::string>(), local.at(1).get<std::string>(),
                              local.at(2).get<std::uintptr_t>(), local.at(3).get<std::uintptr_t>()};
  }
  return memory;
}

}  // namespace

Json encode(const findings::Race& race) {
  return {
      {"address", race.address},
      {"size", race.size},
      {"first", encode(race.first)},
      {"second", encode(race.second)},
      {"memory", {{"base", race.memory.base}, {"object", std::visit(EncodeObject{}, race.memory.object)}}}};
}

findings::Race decode_race(const Json& json) {
  findings::Race race{json.at("address").get<std::uintptr_t>(), json.at("size").get<std::uint64_t>(),
                      decode_access(json.at("first")), decode_access(json.at("second")),
                      decode_memory(json.at("memory"))};
  if (race.size == 0 || (race.first.kind == AccessKind::read && race.second.kind == AccessKind::read)) {
    throw std::runtime_error("the record of a race makes no sense");
  }
  return race;
}

Json encode(const findings::Deadlock& deadlock) {
  Json cycle = Json::array();
  for (const findings::Wait& wait : deadlock.cycle) {
    cycle.push_back({{"task", wait.task},
                     {"finish", wait.kind == findings::WaitKind::end_of_finish},
                     {"waits", encode(wait.waits_at)},
                     {"created", encode(wait.created_at)}});
  }
  return cycle;
}

findings::Deadlock decode_deadlock(const Json& json) {
  findings::Deadlock deadlock;
  for (const Json& wait : json) {
    deadlock.cycle.push_back(
        {wait.at("task").get<std::uint64_t>(),
         wait.at("finish").get<bool>() ? findings::WaitKind::end_of_finish : findings::WaitKind::get,
         decode_trace(wait.at("waits")), decode_trace(wait.at("created"))});
  }
  if (deadlock.cycle.empty()) throw std::runtime_error("the record of a deadlock makes no sense");
  return deadlock;
}

Json encode(const findings::UnknownJoin& join) {
  return {{"task", join.task},
          {"got", encode(join.got_at)},
          {"created", encode(join.created_at)},
          {"future", join.future},
          {"future_created", encode(join.future_created_at)},
          {"excused", join.excused},
          {"count", join.count}};
}

findings::UnknownJoin decode_unknown_join(const Json& json) {
  return {json.at("task").get<std::uint64_t>(),    decode_trace(json.at("got")),
          decode_trace(json.at("created")),        json.at("future").get<std::uint64_t>(),
          decode_trace(json.at("future_created")), json.at("excused").get<bool>(),
          json.at("count").get<std::uint64_t>()};
}

Json encode(const findings::Unsupported& unsupported) {
  return {{"construct", unsupported.construct},
          {"why", unsupported.why},
          {"where", encode(unsupported.where)},
          {"count", unsupported.count}};
}

findings::Unsupported decode_unsupported(const Json& json) {
  return {json.at("construct").get<std::string>(), json.at("why").get<std::string>(),
          decode_trace(json.at("where")), json.at("count").get<std::uint64_t>()};
}

Json encode(const findings::Remedy& remedy) {
  return {{"kind", static_cast<int>(remedy.kind)},
          {"first", encode(remedy.first)},
          {"second", encode(remedy.second)},
          {"places", encode(Trace({remedy.created, remedy.before, remedy.inside, remedy.later_at}))},
          {"later", static_cast<int>(remedy.later)},
          {"pairs", remedy.pairs}};
}

findings::Remedy decode_remedy(const Json& json) {
  const int kind = json.at("kind").get<int>();
  const int later = json.at("later").get<int>();
  const Trace places = decode_trace(json.at("places"));
  if (kind < 0 || kind > static_cast<int>(findings::RemedyKind::none) || later < 0 ||
      later > static_cast<int>(findings::LaterJoin::get) || places.size() != 4) {
    throw std::runtime_error("the record of a remedy makes no sense");
  }
  const auto place = places.begin();
  return {static_cast<findings::RemedyKind>(kind),
          decode_trace(json.at("first")),
          decode_trace(json.at("second")),
          place[0],
          place[1],
          place[2],
          static_cast<findings::LaterJoin>(later),
          place[3],
          json.at("pairs").get<std::uint64_t>()};
}

Json encode(const ExpectedRace& expected) {
  return {{"begin", expected.begin},
          {"end", expected.end},
          {"why", expected.why},
          {"at", encode(Trace({expected.at}))}};
}

ExpectedRace decode_expected(const Json& json) {
  return {json.at("begin").get<std::uintptr_t>(), json.at("end").get<std::uintptr_t>(),
          json.at("why").get<std::string>(), decode_trace(json.at("at")).innermost()};
}

Json encode(const Module& module) { return {module.begin, module.end, module.bias, module.path}; }

Module decode_module(const Json& json) {
  return {json.at(0).get<std::uintptr_t>(), json.at(1).get<std::uintptr_t>(),
          json.at(2).get<std::uintptr_t>(), json.at(3).get<std::string>()};
}

}  // namespace anyorder::record
