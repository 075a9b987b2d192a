// Source lines and paragraphs of the report for people.
#include "report/page.hpp"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <unistd.h>

#include "sample.hpp"

namespace anyorder::report {
namespace {

namespace fs = std::filesystem;

class Excerpts : public testing::Test {
 protected:
  Excerpts() { fs::create_directories(folder_); }
  ~Excerpts() override { fs::remove_all(folder_); }

  // What is shown of the first line of a file with that text.
  std::string shown(const std::string& text, std::uint32_t column, std::size_t width = 0) {
    const std::string path = folder_ / "source.cpp";
    std::ofstream(path) << text;
    return shown_of(path, column, width);
  }
  std::string shown_of(const std::string& path, std::uint32_t column, std::size_t width = 0) {
    std::ostringstream out;
    const TextStyle style{false, false, width};
    Page page(out, style, SourceFiles(built_));
    findings::Frame frame = line(path, 1, "f");
    frame.source.column = column;
    page.excerpt(frame, "  ");
    return out.str();
  }

  fs::path folder_ = fs::temp_directory_path() / ("anyorder_page_test." + std::to_string(::getpid()));
  std::optional<fs::file_time_type> built_;
};

TEST_F(Excerpts, AMarkIsUnderTheColumn) {
  EXPECT_EQ(shown("  x = 1;\n", 5), "  1 |   x = 1;\n    |     ^\n");
  EXPECT_EQ(shown("\tx = 1;\r\n", 2), "  1 |  x = 1;\n    |  ^\n");
  EXPECT_EQ(shown("ä = 1;", 4), "  1 | ä = 1;\n    |   ^\n");
}

TEST_F(Excerpts, WithoutAColumnThereIsNoMark) { EXPECT_EQ(shown("x = 1;", 0), "  1 | x = 1;\n"); }

TEST_F(Excerpts, AColumnBehindTheLineIsAtItsEnd) { EXPECT_EQ(shown("x", 99), "  1 | x\n    |  ^\n"); }

TEST_F(Excerpts, OfALongLineThePartAroundTheColumn) {
  std::string text(300, 'a');
  text.append("HERE").append(300, 'b');
  const std::string excerpt = shown(text, 301, 60);
  const std::string first = excerpt.substr(0, excerpt.find('\n'));
  const std::string second = excerpt.substr(first.size() + 1);
  EXPECT_NE(first.find("…aaa"), std::string::npos) << first;
  EXPECT_TRUE(first.ends_with("bbb…")) << first;
  // The ellipsis before the mark is one character of three bytes.
  EXPECT_EQ(first.find("HERE") - 2, second.find('^')) << excerpt;
}

TEST_F(Excerpts, AMissingFileOrLineShowsNothing) {
  EXPECT_EQ(shown("", 1), "");
  EXPECT_EQ(shown_of("/nowhere/x.cpp", 1), "");
  EXPECT_EQ(shown_of(folder_, 1), "");
}

TEST_F(Excerpts, AFileThatHasChangedIsNotQuoted) {
  built_ = fs::file_time_type::clock::now() - std::chrono::hours(1);
  EXPECT_EQ(shown("x = 1;", 1), "  (the file has changed since the program was built)\n");
}

TEST_F(Excerpts, BytesThatAreNoTextDoNoHarm) {
  EXPECT_EQ(shown("\xFF\033[1m", 1), "  1 | \uFFFD\uFFFD[1m\n    | ^\n");
}

TEST(Page, ParagraphsAreAsWideAsTheTerminal) {
  std::ostringstream out;
  const TextStyle style{false, false, 40};
  Page page(out, style, SourceFiles(std::nullopt));
  page.paragraph("one two three four five six seven eight nine ten eleven", "  ");
  EXPECT_EQ(out.str(), "  one two three four five six seven\n  eight nine ten eleven\n");
}

}  // namespace
}  // namespace anyorder::report
