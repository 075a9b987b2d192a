// Places that a program describes itself: tables such as frontends/llvm_pass makes, in this very program.
#include "report/sites.hpp"

#include <gtest/gtest.h>

#include "report/symbolizer.hpp"
#include "this_process.hpp"

// Entries of four bytes and records of seven words; see events/site.hpp.
asm(R"(
  .pushsection anyorder_site_texts_1, "aMS", @progbits, 1
text_inner:      .string "_ZN5Board3setEi"
text_outer:      .string "main"
text_endless:    .string "_ZNotDemangled"
text_declared:   .string "Board::declared"
text_file:       .string "/src/./a/../board.cpp"
text_expression: .string "this->cells[...]"
  .popsection
  .pushsection anyorder_site_records_1, "a", @progbits
  .balign 4
record_outer:
  .long text_outer - ., 0, text_file - ., 30, 3, 0, 0
record_inner:
  .long text_inner - ., 0, text_file - ., 12, 7, record_outer - ., text_expression - .
record_odd_name:
  .long text_endless - ., text_declared - ., text_file - ., 1, 0, 0, 0
record_of_itself:
  .long text_inner - ., 0, text_file - ., 12, 7, record_of_itself - ., 0
record_without_line:
  .long text_inner - ., 0, text_file - ., 0, 0, 0, 0
record_without_texts:
  .long 0x70000000, 0, 0x70000000, 12, 7, 0, 0
record_with_lost_caller:
  .long text_inner - ., 0, text_file - ., 12, 7, 0x70000000, 0
  .popsection
  .pushsection anyorder_sites_1, "a", @progbits
  .balign 4
  .globl anyorder_test_sites
anyorder_test_sites:
  .long record_inner - ., record_odd_name - ., record_of_itself - ., record_without_line - .
  .long record_without_texts - ., record_with_lost_caller - ., 0x70000000
  .popsection
)");
extern "C" const std::int32_t anyorder_test_sites[7];

namespace anyorder::report {
namespace {

using findings::Frame;
using findings::Trace;

class SitesTest : public testing::Test {
 protected:
  static std::uintptr_t site(std::size_t i) {
    return reinterpret_cast<std::uintptr_t>(anyorder_test_sites + i);
  }

  Image image_{these_modules(), this_program()};
  Symbolizer symbolizer_{image_};
  Sites sites_{image_};
};

TEST_F(SitesTest, APlaceHasItsLineItsFunctionsAndWhatIsAccessed) {
  const Trace::Frames& frames = symbolizer_.frames_at(site(0));
  ASSERT_EQ(frames.size(), 2U);
  EXPECT_EQ(frames[0].source, (findings::SourceLine{"/src/board.cpp", 12, 7, "Board::set(int)"}));
  EXPECT_EQ(frames[0].expression, "this->cells[...]");
  EXPECT_EQ(frames[0].pc, site(0));
  EXPECT_EQ(frames[1].source, (findings::SourceLine{"/src/board.cpp", 30, 3, "main"}));
  EXPECT_EQ(frames[1].expression, "");
}

TEST_F(SitesTest, AFunctionWhoseNameCannotBeDemangledIsNamedAsDeclared) {
  const Trace::Frames frames = sites_.frames_at(site(1));
  ASSERT_EQ(frames.size(), 1U);
  EXPECT_EQ(frames[0].source.function, "Board::declared");
}

TEST_F(SitesTest, BrokenRecordsAreNone) {
  for (std::size_t i = 2; i < std::size(anyorder_test_sites); ++i) {
    EXPECT_TRUE(sites_.frames_at(site(i)).empty()) << i;
  }
}

TEST_F(SitesTest, OtherAddressesHaveNone) {
  EXPECT_TRUE(sites_.frames_at(0).empty());
  EXPECT_TRUE(sites_.frames_at(site(std::size(anyorder_test_sites))).empty());
  EXPECT_TRUE(sites_.frames_at(reinterpret_cast<std::uintptr_t>(&these_modules)).empty());
}

}  // namespace
}  // namespace anyorder::report
