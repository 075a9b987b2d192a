// A country's health system after the BOTS benchmark Health: a tree of villages with a hospital each, and a
// task per village and day, within that of the village above. Who needs a better hospital waits in a list of
// the village that sends them until its tasks have ended: the original's villages put them into a list of the
// one above, under a lock, in an order that is not determined.
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "elision.hpp"
#include "verification.hpp"

namespace {

// As in the original's inputs.
constexpr int kLevels = 5;
constexpr int kDays = 365;
constexpr int kPopulationRatio = 10;
constexpr int kDaysOfAssessment = 2;
constexpr int kDaysOfConvalescence = 12;
constexpr double kGetsSick = 0.002;
constexpr double kNeedsTreatment = 0.1;
constexpr double kNeedsBetterHospital = 0.15;
constexpr std::uint32_t kSeed = 23;

struct Patient {
  std::uint32_t seed = 0;
  std::int32_t days_left = 0;
  std::int32_t days_in_all = 0;
  std::int32_t hospitals_visited = 0;
  Patient* before = nullptr;
  Patient* after = nullptr;

  // Between 0 and 1, by the patient's own generator (Park and Miller's).
  double random() {
    seed = static_cast<std::uint32_t>(std::uint64_t{seed} * 16807 % 2147483647);
    return static_cast<double>(seed) / 2147483647.0;
  }
};

// Doubly linked. A patient is in one list at a time.
class Queue {
 public:
  void add(Patient* patient) {
    patient->before = last_;
    patient->after = nullptr;
    (last_ == nullptr ? first_ : last_->after) = patient;
    last_ = patient;
  }
  void remove(Patient* patient) {
    (patient->before == nullptr ? first_ : patient->before->after) = patient->after;
    (patient->after == nullptr ? last_ : patient->after->before) = patient->before;
  }
  // `f` may remove the patient that it is called with.
  template <class F>
  void for_each(const F& f) {
    for (Patient* patient = first_; patient != nullptr;) {
      Patient* const next = patient->after;
      f(patient);
      patient = next;
    }
  }
  [[nodiscard]] const Patient* first() const { return first_; }

 private:
  Patient* first_ = nullptr;
  Patient* last_ = nullptr;
};

class Village {
 public:
  // Level 1 has no villages below it.
  Village(int level, long cities, std::uint32_t& next_seed)
      : inhabitants_(static_cast<std::size_t>(kPopulationRatio) << static_cast<unsigned>(level)),
        free_personnel_(1 << static_cast<unsigned>(level)),
        is_top_(level == kLevels) {
    for (Patient& patient : inhabitants_) {
      patient.seed = next_seed++ * 127773 % 2147483646 + 1;
      healthy_.add(&patient);
    }
    for (long i = 0; level > 1 && i < cities; ++i) {
      below_.push_back(std::make_unique<Village>(level - 1, cities, next_seed));
    }
  }

  template <class Tasks>
  void live_a_day() {
    Tasks::finish([this] {
      for (const auto& village : below_) {
        Tasks::async([other = village.get()] { other->live_a_day<Tasks>(); });
      }
      treat();
      assess();
      call_waiting();
    });
    for (const auto& village : below_) {
      village->leaving_.for_each([this, &village](Patient* patient) {
        village->leaving_.remove(patient);
        take_in(patient);
      });
    }
    healthy_.for_each([this](Patient* patient) {
      if (patient->random() >= kGetsSick) return;
      healthy_.remove(patient);
      take_in(patient);
    });
  }

  // Adds everybody who is here, by the lists they are in.
  ANYORDER_BENCH_UNCHECKED void report(std::vector<std::uint64_t>& to) const {
    for (const Queue* queue : {&healthy_, &waiting_, &assessed_, &treated_, &leaving_}) {
      for (const Patient* patient = queue->first(); patient != nullptr; patient = patient->after) {
        to.push_back((std::uint64_t{patient->seed} << 32U) +
                     static_cast<std::uint64_t>(patient->days_in_all) * 256 +
                     static_cast<std::uint64_t>(patient->hospitals_visited));
      }
    }
    for (const auto& village : below_) village->report(to);
  }
  ANYORDER_BENCH_UNCHECKED std::size_t inhabitants() const {
    std::size_t sum = inhabitants_.size();
    for (const auto& village : below_) sum += village->inhabitants();
    return sum;
  }

 private:
  void take_in(Patient* patient) {
    ++patient->hospitals_visited;
    if (free_personnel_ == 0) return waiting_.add(patient);
    begin_assessment(patient);
  }
  void begin_assessment(Patient* patient) {
    --free_personnel_;
    patient->days_left = kDaysOfAssessment;
    patient->days_in_all += kDaysOfAssessment;
    assessed_.add(patient);
  }

  void treat() {
    treated_.for_each([this](Patient* patient) {
      if (--patient->days_left != 0) return;
      ++free_personnel_;
      treated_.remove(patient);
      healthy_.add(patient);
    });
  }

  void assess() {
    assessed_.for_each([this](Patient* patient) {
      if (--patient->days_left != 0) return;
      assessed_.remove(patient);
      if (patient->random() >= kNeedsTreatment) {
        ++free_personnel_;
        healthy_.add(patient);
      } else if (!is_top_ && patient->random() < kNeedsBetterHospital) {
        ++free_personnel_;
        leaving_.add(patient);
      } else {
        patient->days_left = kDaysOfConvalescence;
        patient->days_in_all += kDaysOfConvalescence;
        treated_.add(patient);
      }
    });
  }

  void call_waiting() {
    waiting_.for_each([this](Patient* patient) {
      if (free_personnel_ == 0) {
        ++patient->days_in_all;
        return;
      }
      waiting_.remove(patient);
      begin_assessment(patient);
    });
  }

  std::vector<Patient> inhabitants_;  // those who were born here
  std::vector<std::unique_ptr<Village>> below_;
  int free_personnel_;
  bool is_top_;
  Queue healthy_;
  Queue waiting_;
  Queue assessed_;
  Queue treated_;
  Queue leaving_;  // for the village above
};

class Country {
 public:
  explicit Country(long cities) : top_(kLevels, cities, next_seed_) {}

  template <class Tasks>
  void solve() {
    for (int day = 0; day < kDays; ++day) top_.live_a_day<Tasks>();
  }

  ANYORDER_BENCH_UNCHECKED std::uint64_t fingerprint() const {
    std::vector<std::uint64_t> all;
    top_.report(all);
    return bench::fingerprint(all);
  }
  // Nobody got lost.
  ANYORDER_BENCH_UNCHECKED bool is_plausible() const {
    std::vector<std::uint64_t> all;
    top_.report(all);
    return all.size() == top_.inhabitants();
  }

 private:
  std::uint32_t next_seed_ = kSeed;
  Village top_;
};

}  // namespace

int main(int argc, char** argv) {
  return bench::run<Country>("health", argc, argv, {"number of villages below each, on five levels", 1, 24});
}
