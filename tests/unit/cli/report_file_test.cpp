#include "cli/report_file.hpp"

#include <array>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <ostream>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/exit_code.hpp"
#include "scratch.hpp"

namespace anyorder::cli {
namespace {

TEST(ReportFile, KeepsTheOldReportUntilThereIsANewOne) {
  const Scratch scratch;
  scratch.write("r.json", "old");
  {
    const ReportFile unused(scratch / "r.json");
    EXPECT_EQ(scratch.read("r.json"), "old");
  }
  EXPECT_EQ(scratch.read("r.json"), "old");
  EXPECT_EQ(scratch.files(), 1U);
  ReportFile(scratch / "r.json").write("new");
  EXPECT_EQ(scratch.read("r.json"), "new");
  EXPECT_EQ(scratch.files(), 1U);
}

TEST(ReportFile, HasTheModeOfANewOrOfTheOldFile) {
  const Scratch scratch;
  const auto mode = [&] {
    struct stat facts {};
    ::stat((scratch / "r.json").c_str(), &facts);
    return facts.st_mode & 0777U;
  };
  const auto mask = ::umask(022);
  ReportFile(scratch / "r.json").write("x");
  ::umask(mask);
  EXPECT_EQ(mode(), 0644U);
  ::chmod((scratch / "r.json").c_str(), 0600);
  ReportFile(scratch / "r.json").write("y");
  EXPECT_EQ(mode(), 0600U);
}

TEST(ReportFile, ReplacesWhatASymbolicLinkLeadsTo) {
  const Scratch scratch;
  scratch.write("target", "old");
  std::filesystem::create_symlink("target", scratch / "link");
  ReportFile(scratch / "link").write("new");
  EXPECT_TRUE(std::filesystem::is_symlink(scratch / "link"));
  EXPECT_EQ(scratch.read("target"), "new");
}

TEST(ReportFile, WritesToDescriptorsAndDevicesDirectly) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  ReportFile("/dev/fd/" + std::to_string(ends[1])).write("text");
  std::array<char, 8> got{};
  EXPECT_EQ(::read(ends[0], got.data(), got.size()), 4);
  EXPECT_STREQ(got.data(), "text");
  EXPECT_THROW(ReportFile("/dev/fd/" + std::to_string(ends[0])), UsageError);
  ::close(ends[0]);
  ::close(ends[1]);
  ReportFile("/dev/null").write("text");
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST(ReportFile, AppendsToADescriptorOfARegularFile) {
  const Scratch scratch;
  const int file = ::open((scratch / "out").c_str(), O_WRONLY | O_CREAT, 0600);
  ASSERT_EQ(::write(file, "before ", 7), 7);
  ReportFile("/dev/fd/" + std::to_string(file)).write("report");
  ::close(file);
  EXPECT_EQ(scratch.read("out"), "before report");
}

TEST(ReportFile, WhatCannotBeWrittenIsSaidAtOnce) {
  const Scratch scratch;
  EXPECT_THROW(ReportFile((scratch / "no/such/folder").string()), UsageError);
  EXPECT_THROW(ReportFile((scratch / "").string()), UsageError);
  EXPECT_EQ(scratch.files(), 0U);
}

TEST(ReportFile, AWritersTextIsStoredAsItComes) {
  const Scratch scratch;
  std::string text;
  ReportFile(scratch / "r.json").write([&](std::ostream& out) {
    for (int i = 0; i < 50'000; ++i) {
      out << i << ' ';
      text += std::to_string(i) + ' ';
    }
  });
  EXPECT_EQ(scratch.read("r.json"), text);
  int written = 0;
  ReportFile full("/dev/full");
  EXPECT_THROW(full.write([&](std::ostream& out) {
    while (out && written < 1'000'000) out << "a line\n", ++written;
  }),
               EnvironmentError);
  EXPECT_LT(written, 100'000);  // it hears of it
}

TEST(ReportFile, AFullDiskIsAnError) {
  ReportFile full("/dev/full");
  EXPECT_THROW(full.write("text"), EnvironmentError);
}

}  // namespace
}  // namespace anyorder::cli
