#include "compare.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

namespace anyorder::differential {
namespace {

using Disagreements = std::vector<std::optional<Disagreement>>;
using Addresses = std::set<std::uintptr_t>;

std::string name_of_object(int object) {
  if (object < kVariables) return std::string("v").append(std::to_string(object));
  if (object < kVariables + kHandles) return std::string("h").append(std::to_string(object - kVariables));
  return std::string("made object ").append(std::to_string(object - kVariables - kHandles));
}

bool same_objects(const Prediction& prediction, const std::vector<PlacedObject>& placed) {
  return std::equal(prediction.objects.begin(), prediction.objects.end(), placed.begin(), placed.end(),
                    [](const Object& a, const PlacedObject& b) { return a.size == b.size; });
}

Addresses racy_addresses(const Prediction& prediction, const std::vector<PlacedObject>& placed) {
  Addresses addresses;
  for (const RacyByte& byte : prediction.racy) {
    addresses.insert(placed[static_cast<std::size_t>(byte.object)].address +
                     static_cast<std::uintptr_t>(byte.byte));
  }
  return addresses;
}

// The bytes of the program that lie at these addresses. Objects that follow each other in the same place are
// not told apart: the last one is named.
std::set<RacyByte> bytes_at(const Addresses& addresses, const std::vector<PlacedObject>& placed) {
  std::set<RacyByte> bytes;
  for (const std::uintptr_t address : addresses) {
    for (std::size_t i = placed.size(); i-- > 0;) {
      const std::uintptr_t offset = address - placed[i].address;
      if (offset >= static_cast<std::uintptr_t>(placed[i].size)) continue;
      bytes.insert({static_cast<int>(i), static_cast<int>(offset)});
      break;
    }
  }
  return bytes;
}

Addresses difference(const Addresses& a, const Addresses& b) {
  Addresses left;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::inserter(left, left.end()));
  return left;
}

// The verdict of a run hangs on what could not be judged only where there is no race.
bool expects_unknown(const Prediction& prediction) { return prediction.racy.empty() && prediction.undecided; }

struct BatchAnswer {
  Disagreements by_program;
  bool in_doubt = false;  // something is wrong, but it is not clear with which program
  Disagreement doubt{};
};

// Tasks race on memory that holds a handle.
bool leaks_a_handle(const Prediction& prediction) {
  return std::any_of(prediction.racy.begin(), prediction.racy.end(), [&](const RacyByte& byte) {
    return prediction.objects[static_cast<std::size_t>(byte.object)].holds_handles;
  });
}

BatchAnswer ask(std::span<const Question> questions, const BatchRun& run) {
  BatchAnswer answer;
  answer.by_program.resize(questions.size());
  const auto doubt = [&](DisagreementKind kind, std::string what) {
    answer.in_doubt = true;
    answer.doubt = {kind, std::move(what)};
  };
  const CheckedRun checked = run(questions);
  if (!checked.failure.empty()) {
    doubt(DisagreementKind::failure, checked.failure);
    return answer;
  }

  std::vector<Addresses> expected(questions.size());
  Addresses all_expected;
  for (std::size_t i = 0; i < questions.size(); ++i) {
    if (!same_objects(*questions[i].prediction, checked.map[i])) {
      answer.by_program[i] = {DisagreementKind::failure, "the run made other objects than the model"};
      continue;
    }
    expected[i] = racy_addresses(*questions[i].prediction, checked.map[i]);
    all_expected.insert(expected[i].begin(), expected[i].end());
  }
  const Addresses extra = difference(checked.racy, all_expected);
  std::size_t explained = 0;
  for (std::size_t i = 0; i < questions.size(); ++i) {
    if (answer.by_program[i]) continue;
    const auto missed = bytes_at(difference(expected[i], checked.racy), checked.map[i]);
    const auto alarms = bytes_at(extra, checked.map[i]);
    explained += alarms.size();
    // Where a handle leaked, the verdict has to be right, and no byte may be reported that is not racy.
    const bool verdict_alone = !checked.exact_with_leaked_handles &&
                               leaks_a_handle(*questions[i].prediction) && missed.size() < expected[i].size();
    if (!missed.empty() && !verdict_alone) {
      answer.by_program[i] = {DisagreementKind::missed, "not reported: " + describe(missed)};
    } else if (!alarms.empty()) {
      answer.by_program[i] = {DisagreementKind::false_alarm, "reported, but not racy: " + describe(alarms)};
    }
  }
  if (explained < extra.size()) {
    doubt(DisagreementKind::false_alarm,
          std::to_string(extra.size() - explained) + " bytes were reported that are none of the program's");
  }
  const bool any_undecided = std::any_of(questions.begin(), questions.end(),
                                         [](const Question& q) { return q.prediction->undecided; });
  const bool all_must_be_unknown = std::all_of(
      questions.begin(), questions.end(), [](const Question& q) { return expects_unknown(*q.prediction); });
  if (!any_undecided && !checked.unjudged.empty()) {
    doubt(DisagreementKind::verdict, "something could not be judged: " + checked.unjudged.front());
  }
  if (all_must_be_unknown && checked.unjudged.empty()) {
    doubt(DisagreementKind::verdict, "the verdict is clean, but hangs on the order of isolated sections");
  }
  return answer;
}

}  // namespace

std::string describe(const std::set<RacyByte>& bytes) {
  std::string text;
  for (auto at = bytes.begin(); at != bytes.end();) {
    auto end = at;
    int last = at->byte;
    for (++end; end != bytes.end() && end->object == at->object && end->byte == last + 1; ++end) ++last;
    if (!text.empty()) text += ", ";
    text.append(name_of_object(at->object)).append(" byte ").append(std::to_string(at->byte));
    if (last != at->byte) text.append(" to ").append(std::to_string(last));
    at = end;
  }
  return text;
}

std::vector<std::optional<Disagreement>> compare(std::span<const Question> questions, const BatchRun& run) {
  Disagreements found(questions.size());
  const auto ask_one = [&](std::size_t i) {
    BatchAnswer one = ask(questions.subspan(i, 1), run);
    found[i] = std::move(one.by_program.front());
    if (!found[i] && one.in_doubt) found[i] = std::move(one.doubt);
  };

  // What only the order of sections decides makes the verdict of its whole batch unknown: these apart, and
  // those whose verdict hangs on it one by one.
  std::vector<Question> decided;
  std::vector<Question> undecided;
  std::vector<std::size_t> place_of_decided;
  std::vector<std::size_t> place_of_undecided;
  for (std::size_t i = 0; i < questions.size(); ++i) {
    if (expects_unknown(*questions[i].prediction)) {
      ask_one(i);
    } else if (questions[i].prediction->undecided) {
      undecided.push_back(questions[i]);
      place_of_undecided.push_back(i);
    } else {
      decided.push_back(questions[i]);
      place_of_decided.push_back(i);
    }
  }
  const auto ask_all = [&](const std::vector<Question>& batch, const std::vector<std::size_t>& places) {
    if (batch.empty()) return;
    BatchAnswer answer = ask(batch, run);
    bool reproduced = false;
    for (std::size_t i = 0; i < batch.size(); ++i) {
      if (answer.in_doubt) ask_one(places[i]);
      if (!found[places[i]]) found[places[i]] = std::move(answer.by_program[i]);
      reproduced = reproduced || found[places[i]];
    }
    if (answer.in_doubt && !reproduced) {
      found[places.front()] = {answer.doubt.kind,
                               "only in a batch that begins with it: " + answer.doubt.what};
    }
  };
  ask_all(decided, place_of_decided);
  ask_all(undecided, place_of_undecided);
  return found;
}

std::vector<std::optional<Disagreement>> check(std::span<const Program> programs, Flaw flaw,
                                               const BatchRun& run) {
  std::vector<Prediction> predictions;
  predictions.reserve(programs.size());
  for (const Program& program : programs) predictions.push_back(predict(program, flaw));
  std::vector<Question> questions;
  for (std::size_t i = 0; i < programs.size(); ++i) questions.push_back({&programs[i], &predictions[i]});
  return compare(questions, run);
}

}  // namespace anyorder::differential
