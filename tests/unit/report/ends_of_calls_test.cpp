#include "report/ends_of_calls.hpp"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

#include "sample.hpp"

namespace anyorder::report {
namespace {

namespace fs = std::filesystem;

class EndsOfCalls : public testing::Test {
 protected:
  EndsOfCalls() : folder_(fs::temp_directory_path() / ("ends_of_calls." + std::to_string(getpid()))) {
    fs::create_directories(folder_ / "src");
    std::ofstream(folder_ / "src/app.cpp") << "ao::finish([&] {\n  ao::async([&] {\n    f();\n  });\n});\n";
  }
  ~EndsOfCalls() override { fs::remove_all(folder_); }

  // Of a finish at line 1 and a creation at line 2 of a file, as its name was given to the compiler.
  findings::Remedy found(const std::string& file) {
    findings::Remedy remedy;
    remedy.created = line(file, 2, "main");
    remedy.later = findings::LaterJoin::end_of_finish;
    remedy.later_at = line(file, 1, "main");
    findings::Trace::Frames frames;
    for (const std::string& known : known_) frames.push_back(line(known, 3, "f"));
    remedy.first = findings::Trace(std::move(frames));
    report_.remedies[{}] = {remedy};
    find_ends_of_calls(report_);
    return report_.remedies[{}].front();
  }

  fs::path folder_;
  Report report_;
  std::vector<std::string> known_{folder_ / "src/app.cpp"};
};

TEST_F(EndsOfCalls, AreFoundByAnAbsoluteName) {
  known_.clear();
  const findings::Remedy remedy = found(folder_ / "src/app.cpp");
  EXPECT_EQ(remedy.later_end, 5U);
  EXPECT_EQ(remedy.created_end, 4U);
}

TEST_F(EndsOfCalls, AreFoundByARelativeNameIfOneStackHasSuchAFile) {
  EXPECT_EQ(found("app.cpp").later_end, 5U);
  EXPECT_EQ(found("../src/app.cpp").later_end, 5U);
  EXPECT_EQ(found("pp.cpp").later_end, 0U);
  known_.push_back("/elsewhere/app.cpp");
  EXPECT_EQ(found("app.cpp").later_end, 0U);
  EXPECT_EQ(found("src/app.cpp").later_end, 5U);
}

TEST_F(EndsOfCalls, OfAFileThatHasChangedAreNotKnown) {
  report_.built = fs::last_write_time(folder_ / "src/app.cpp") - std::chrono::hours(1);
  EXPECT_EQ(found("app.cpp").later_end, 0U);
}

// The second access is in a function, which is called inside the finish, or not.
TEST_F(EndsOfCalls, AdviceIsInFrontOfACallFromTheFinish) {
  const auto before = [&](std::uint32_t called_at, std::uint32_t advised) {
    findings::Remedy remedy;
    const std::string path = folder_ / "src/app.cpp";
    remedy.created = line("app.cpp", 2, "main");
    remedy.later = findings::LaterJoin::end_of_finish;
    remedy.later_at = line("app.cpp", 1, "main");
    remedy.second = findings::Trace({line(path, 30, "f()"), line("/usr/include/x", 3, "std::invoke"),
                                     line(path, called_at, "main"), line(path, 1, "main")});
    remedy.before = line(path, advised, "f()");
    report_.remedies[{}] = {remedy};
    find_ends_of_calls(report_);
    return report_.remedies[{}].front().before.source.line;
  };
  EXPECT_EQ(before(4, 30), 4U);
  EXPECT_EQ(before(40, 30), 1U);
  EXPECT_EQ(before(4, 2), 2U);  // it is about a creation, not about the access
}

TEST_F(EndsOfCalls, OfAGetAreNone) {
  findings::Remedy remedy = found("app.cpp");
  remedy.later = findings::LaterJoin::get;
  remedy.later_end = 0;
  report_.remedies[{}] = {remedy};
  find_ends_of_calls(report_);
  EXPECT_EQ(report_.remedies[{}].front().later_end, 0U);
}

}  // namespace
}  // namespace anyorder::report
