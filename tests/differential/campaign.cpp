#include "campaign.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <map>
#include <mutex>
#include <sstream>
#include <stdexcept>
#include <thread>
#include <unistd.h>
#include <utility>

#include "interpreted.hpp"
#include "print.hpp"
#include "printed.hpp"
#include "shrink.hpp"
#include "text.hpp"

namespace anyorder::differential {
namespace {

using Clock = std::chrono::steady_clock;

std::atomic<bool> interrupted{false};
void interrupt(int /*signal*/) { interrupted = true; }

struct Batch {
  DetectorChoice detector;
  std::string family;
  std::vector<Program> (*make)(const Batch&) = nullptr;
  Family kind{};
  std::uint64_t first_seed = 0;
  std::size_t size = 0;
  std::vector<Program> given = {};
};

std::vector<Program> generated(const Batch& batch) {
  std::vector<Program> programs;
  for (std::size_t i = 0; i < batch.size; ++i) {
    Program program = generate(batch.kind, batch.first_seed + i);
    if (!batch.detector.runs_in_parallel || accepts(batch.detector, predict(program))) {
      programs.push_back(std::move(program));
    }
  }
  return programs;
}

std::vector<Batch> batches_of(const CampaignOptions& options) {
  std::vector<Batch> batches;
  for (const DetectorChoice& detector : options.detectors) {
    // Given ones, and those to be compiled: one compilation of all is cheaper than several.
    if (!options.replay.empty() || !options.compiler.empty()) {
      const bool replayed = !options.replay.empty();
      Batch batch{detector, replayed ? "replay" : "compiled", [](const Batch& b) { return b.given; }};
      for (const Program& program : options.replay) {
        if (accepts(detector, predict(program))) batch.given.push_back(program);
      }
      for (const Family family : options.families) {
        for (std::size_t i = 0; !replayed && accepts(detector, family) && i < options.programs; ++i) {
          batch.given.push_back(generate(family, options.seed + i));
        }
      }
      batch.size = batch.given.size();
      if (batch.size != 0) batches.push_back(std::move(batch));
      continue;
    }
    for (const Family family : options.families) {
      if (!accepts(detector, family)) continue;
      for (std::size_t done = 0; done < options.programs; done += options.batch) {
        batches.push_back({detector, std::string(name_of(family)), &generated, family, options.seed + done,
                           std::min(options.batch, options.programs - done)});
        // Every other batch in the scheduler's own order.
        if (detector.runs_in_parallel && done / options.batch % 2 == 1) {
          batches.back().detector.perturbation = options.seed + done;
        }
      }
    }
  }
  return batches;
}

std::string_view title_of(DisagreementKind kind) {
  switch (kind) {
    case DisagreementKind::missed:
      return "missed race";
    case DisagreementKind::false_alarm:
      return "false alarm";
    case DisagreementKind::verdict:
      return "wrong verdict";
    case DisagreementKind::failure:
      return "failed run";
  }
  return {};
}

class Campaign {
 public:
  explicit Campaign(const CampaignOptions& options) : options_(options), batches_(batches_of(options)) {
    for (const Batch& batch : batches_) total_ += batch.size;
  }

  bool run() {
    const auto before = std::signal(SIGINT, &interrupt);
    unsigned jobs = options_.jobs != 0 ? options_.jobs : std::max(1U, std::thread::hardware_concurrency());
    std::vector<std::thread> workers;
    for (; jobs > 0; --jobs) workers.emplace_back([this] { work(); });
    for (std::thread& worker : workers) worker.join();
    std::signal(SIGINT, before);
    if (error_) std::rethrow_exception(error_);
    summarize();
    return disagreements_ == 0;
  }

 private:
  struct Count {
    std::size_t programs = 0;
    std::size_t racy = 0;
    std::size_t unknown = 0;
    std::size_t statements = 0;
  };

  [[nodiscard]] bool over() const { return interrupted || failed_ || disagreements_ >= options_.most; }

  void work() {
    try {
      for (std::size_t i = next_++; i < batches_.size() && !over(); i = next_++) take(batches_[i]);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!error_) error_ = std::current_exception();
      failed_ = true;
    }
  }

  void take(const Batch& batch) {
    const std::vector<Program> programs = batch.make(batch);
    const auto found = check(programs, options_.flaw, run_with(batch.detector));
    if (interrupted) return;  // the interrupt ended the runs, too
    count(batch, programs);
    for (std::size_t i = 0; i < programs.size(); ++i) {
      if (found[i] && !over()) report(batch.detector, programs[i], *found[i]);
    }
  }

  [[nodiscard]] BatchRun run_with(const DetectorChoice& detector) const {
    if (options_.compiler.empty()) return interpreted_with(detector);
    return printed_with(detector, options_.compiler, options_.flags);
  }

  void count(const Batch& batch, const std::vector<Program>& programs) {
    Count more;
    for (const Program& program : programs) {
      const Prediction prediction = predict(program, options_.flaw);
      ++more.programs;
      more.racy += prediction.racy.empty() ? 0 : 1;
      more.unknown += prediction.racy.empty() && prediction.undecided ? 1 : 0;
      more.statements += statement_count(program.body);
    }
    const std::lock_guard lock(mutex_);
    Count& sum = counts_[{title_of(batch.detector), batch.family}];
    sum.programs += more.programs;
    sum.racy += more.racy;
    sum.unknown += more.unknown;
    sum.statements += more.statements;
    done_ += batch.size;
    compared_ += more.programs;
    show_progress();
  }

  void report(const DetectorChoice& detector, const Program& program, const Disagreement& disagreement) {
    {
      const std::lock_guard lock(mutex_);
      if (++disagreements_ > options_.most) return;
      clear_progress();
      std::cerr << program.name << " with " << title_of(detector) << ": " << title_of(disagreement.kind)
                << "; " << disagreement.what.substr(0, disagreement.what.find('\n')) << "; shrinking "
                << statement_count(program.body) << " statements" << std::endl;
    }
    const BatchRun run = run_with(detector);
    const auto still_disagree = [&](const std::vector<Program>& candidates) {
      std::vector<bool> answers;
      for (const auto& found : check(candidates, options_.flaw, run)) {
        answers.push_back(found && found->kind == disagreement.kind && !interrupted);
      }
      return answers;
    };
    Program small = shrink(program, still_disagree);
    const auto last = check(std::span(&small, 1), options_.flaw, run).front();
    const std::lock_guard lock(mutex_);
    keep(detector, small, last ? *last : disagreement);
  }

  // The caller holds the lock.
  void keep(const DetectorChoice& detector, const Program& program, const Disagreement& disagreement) {
    std::ostringstream text;
    text << "# " << title_of(disagreement.kind) << " with " << title_of(detector);
    if (options_.flaw != Flaw::none) text << " against a model that is wrong on purpose";
    text << "\n# " << disagreement.what.substr(0, disagreement.what.find('\n')) << '\n' << to_text(program);
    const auto path =
        std::filesystem::path(options_.keep) / (detector.name + "-" + program.name + ".program");
    std::filesystem::create_directories(options_.keep);
    std::ofstream file(path);
    file << text.str();
    if (!file.flush()) throw std::runtime_error(path.string() + " cannot be written");
    clear_progress();
    std::cout << "\n== " << title_of(disagreement.kind) << ": " << title_of(detector) << ", "
              << statement_count(program.body) << " statements; " << disagreement.what << "\n\n"
              << text.str() << '\n'
              << to_cpp({&program, 1}) << "\nkept in " << path.string() << std::endl;
  }

  // The caller holds the lock.
  void show_progress() {
    if (isatty(STDERR_FILENO) != 1) return;
    constexpr std::size_t kWidth = 30;
    const double seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
    const std::size_t filled = total_ == 0 ? kWidth : kWidth * done_ / total_;
    std::cerr << "\r[" << std::string(filled, '#') << std::string(kWidth - filled, ' ') << "] " << done_
              << '/' << total_ << " programs, " << static_cast<int>(static_cast<double>(done_) / seconds)
              << "/s, " << disagreements_ << " disagreements " << std::flush;
  }
  static void clear_progress() {
    if (isatty(STDERR_FILENO) == 1) std::cerr << "\r\033[K";
  }

  void summarize() const {
    clear_progress();
    const double seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
    std::cout << std::left << std::setw(14) << "detector" << std::setw(10) << "family" << std::right
              << std::setw(10) << "programs" << std::setw(12) << "statements" << std::setw(8) << "racy"
              << std::setw(9) << "unknown" << '\n';
    for (const auto& [key, count] : counts_) {
      std::cout << std::left << std::setw(14) << key.first << std::setw(10) << key.second << std::right
                << std::setw(10) << count.programs << std::setw(12) << count.statements << std::setw(8)
                << count.racy << std::setw(9) << count.unknown << '\n';
    }
    std::cout << compared_ << " programs in " << std::fixed << std::setprecision(1) << seconds << " s, "
              << std::min<std::size_t>(disagreements_, options_.most) << " disagreements"
              << (interrupted ? ", interrupted"
                  : over()    ? ", stopped there"
                              : "")
              << std::endl;
  }

  const CampaignOptions& options_;
  std::vector<Batch> batches_;
  std::size_t total_ = 0;
  std::atomic<std::size_t> next_{0};
  std::atomic<std::size_t> disagreements_{0};
  std::atomic<bool> failed_{false};
  const Clock::time_point begin_ = Clock::now();

  std::mutex mutex_;  // guards all below, and the output
  std::exception_ptr error_;
  std::size_t done_ = 0;
  std::size_t compared_ = 0;  // without those that a detector cannot be asked about
  std::map<std::pair<std::string, std::string>, Count> counts_;
};

}  // namespace

bool run_campaign(const CampaignOptions& options) { return Campaign(options).run(); }

}  // namespace anyorder::differential
