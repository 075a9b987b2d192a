// Code addresses of this very program, and of files without debug information or without file.
#include "report/symbolizer.hpp"

#include <cstdlib>
#include <gtest/gtest.h>
#include <string>

#include "this_process.hpp"

namespace anyorder::report {

struct Spot {
  std::uintptr_t pc = 0;
  std::uint32_t line = 0;
};

[[gnu::always_inline]] inline Spot spot_in_inlined_function() {
  const Spot spot{here(), __LINE__};
  return spot;
}

[[gnu::always_inline]] inline Spot spot_two_levels_down(std::uint32_t& call_line) {
  call_line = __LINE__ + 1;
  const Spot spot = spot_in_inlined_function();
  return spot;
}

[[gnu::noinline]] Spot spot_in_function(int& argument) {
  const Spot spot{here(), __LINE__};
  ++argument;
  return spot;
}

struct Nest {
  Spot spot;
  std::uint32_t inner_call = 0;
  std::uint32_t outer_call = 0;
};

[[gnu::noinline]] Nest nest() {
  Nest nest;
  nest.outer_call = __LINE__ + 1;
  nest.spot = spot_two_levels_down(nest.inner_call);
  return nest;
}

namespace {

namespace inner {

[[gnu::noinline]] Spot spot_in_static_function(int& argument) {
  const Spot spot{here(), __LINE__};
  ++argument;
  return spot;
}

[[gnu::always_inline]] inline Spot spot_in_inlined_static_function() {
  const Spot spot{here(), __LINE__};
  return spot;
}

}  // namespace inner

using findings::Frame;
using findings::Trace;

class SymbolizerTest : public testing::Test {
 protected:
  std::vector<record::Module> modules_ = these_modules();
  Image image_{modules_, this_program()};
  Symbolizer symbolizer_{image_};
};

TEST_F(SymbolizerTest, AFunctionHasItsLineAndDemangledName) {
  int argument = 0;
  const Spot spot = spot_in_function(argument);
  const Trace::Frames& frames = symbolizer_.frames_at(spot.pc);
  ASSERT_EQ(frames.size(), 1U);
  EXPECT_EQ(frames[0].source.function, "anyorder::report::spot_in_function(int&)");
  EXPECT_EQ(frames[0].source.file, __FILE__);
  EXPECT_EQ(frames[0].source.line, spot.line);
  EXPECT_GT(frames[0].source.column, 0U);
  EXPECT_EQ(frames[0].pc, spot.pc);
  EXPECT_EQ(frames[0].module, "");
  EXPECT_EQ(symbolizer_.function_at(spot.pc), "anyorder::report::spot_in_function(int&)");
}

TEST_F(SymbolizerTest, InlinedFunctionsAreFramesOfTheirOwn) {
  const Nest spots = nest();
  const Trace::Frames& frames = symbolizer_.frames_at(spots.spot.pc);
  ASSERT_EQ(frames.size(), 3U);
  EXPECT_EQ(frames[0].source.function, "anyorder::report::spot_in_inlined_function()");
  EXPECT_EQ(frames[0].source.line, spots.spot.line);
  EXPECT_EQ(frames[1].source.function, "anyorder::report::spot_two_levels_down(unsigned int&)");
  EXPECT_EQ(frames[1].source.line, spots.inner_call);
  EXPECT_EQ(frames[2].source.function, "anyorder::report::nest()");
  EXPECT_EQ(frames[2].source.line, spots.outer_call);
  for (const Frame& frame : frames) EXPECT_EQ(frame.source.file, __FILE__);
  EXPECT_EQ(symbolizer_.function_at(spots.spot.pc), "anyorder::report::nest()");
}

TEST_F(SymbolizerTest, AFunctionThatNoOtherFileSeesHasItsNamespaces) {
  int argument = 0;
  const Spot spot = inner::spot_in_static_function(argument);
  EXPECT_EQ(symbolizer_.frames_at(spot.pc).front().source.function,
            "anyorder::report::(anonymous namespace)::inner::spot_in_static_function(int&)");
  EXPECT_EQ(symbolizer_.frames_at(spot.pc).front().source.line, spot.line);

  const Spot inlined = inner::spot_in_inlined_static_function();
  const Trace::Frames& frames = symbolizer_.frames_at(inlined.pc);
  ASSERT_GE(frames.size(), 2U);
  const std::string& name = frames.front().source.function;  // g++ knows no parameters here
  EXPECT_EQ(name.substr(0, name.find("()")),
            "anyorder::report::(anonymous namespace)::inner::spot_in_inlined_static_function");
}

TEST_F(SymbolizerTest, ALambdaIsNamedByItsFunction) {
  const auto lambda = [](int& argument) __attribute__((noinline)) {
    const Spot spot{here(), __LINE__};
    ++argument;
    return spot;
  };
  int argument = 0;
  const Spot spot = lambda(argument);
  const Frame& frame = symbolizer_.frames_at(spot.pc).front();
  EXPECT_EQ(frame.source.line, spot.line);
  // g++: {lambda(int&)#1}; clang, where no other file sees it: $_0.
  EXPECT_NE(frame.source.function.find("TestBody()::"), std::string::npos) << frame.source.function;
  EXPECT_NE(frame.source.function.find("::operator()"), std::string::npos) << frame.source.function;
}

TEST_F(SymbolizerTest, WithoutDebugInformationThereIsTheSymbolAndTheModule) {
  const Spot spot = nest().spot;
  for (const std::string option : {"--strip-debug", "--strip-all"}) {
    const std::string copy = testing::TempDir() + "unit_report" + option;
    ASSERT_EQ(std::system(("objcopy " + option + " '" + this_program() + "' '" + copy + "'").c_str()), 0);
    for (record::Module& module : modules_) {
      if (module.begin <= spot.pc && spot.pc < module.end) module.path = copy;
    }
    Image image(modules_, copy);
    Symbolizer symbolizer(image);
    const Trace::Frames& frames = symbolizer.frames_at(spot.pc);
    ASSERT_EQ(frames.size(), 1U);
    EXPECT_FALSE(frames[0].source.known());
    EXPECT_EQ(frames[0].source.function, option == "--strip-all" ? "" : "anyorder::report::nest()");
    EXPECT_EQ(frames[0].module, copy);
    EXPECT_EQ(frames[0].pc, spot.pc);
    std::filesystem::remove(copy);
  }
}

TEST(Symbolizer, AModuleThatIsGoneOnlyCostsItsNames) {
  const std::vector<record::Module> modules = {{0x10000, 0x20000, 0x10000, "/nowhere/libgone.so"},
                                               {0x30000, 0x31000, 0x30000, "[vdso]"},
                                               {0x40000, 0x41000, 0x40000, __FILE__}};
  Image image(modules, "/nowhere/program");
  Symbolizer symbolizer(image);
  const Trace trace = symbolizer.stack(Trace({{0x10010, {}}, {0x30010, {}}, {0x40010, {}}, {0x50010, {}}}));
  ASSERT_EQ(trace.size(), 4U);
  std::vector<std::string> modules_seen;
  for (const Frame& frame : trace) {
    EXPECT_FALSE(frame.source.known());
    EXPECT_EQ(frame.source.function, "");
    modules_seen.push_back(frame.module);
  }
  EXPECT_EQ(modules_seen, (std::vector<std::string>{"/nowhere/libgone.so", "[vdso]", __FILE__, ""}));
}

TEST_F(SymbolizerTest, AStackHasAllFramesAndCreationsOneForEach) {
  const Nest spots = nest();
  int argument = 0;
  const Spot spot = spot_in_function(argument);
  const Frame known{spots.spot.pc, {"app.cpp", 7, 0, "main"}};
  const Trace trace({{spots.spot.pc, {}}, known, {spot.pc, {}}, {0, {}}});

  const Trace stack = symbolizer_.stack(trace);
  ASSERT_EQ(stack.size(), 6U);
  EXPECT_EQ(*(stack.begin() + 3), known);
  EXPECT_EQ((stack.begin() + 4)->source.line, spot.line);

  const Trace creations = symbolizer_.creations(trace);
  ASSERT_EQ(creations.size(), 4U);
  EXPECT_EQ(creations.innermost().source.line, spots.spot.line);
  EXPECT_EQ(*(creations.begin() + 1), known);

  EXPECT_TRUE(symbolizer_.stack(trace).shares_frames_with(stack));
  EXPECT_TRUE(symbolizer_.stack(Trace()).empty());
}

TEST_F(SymbolizerTest, TheModuleOfTheExecutableMayHaveNoPath) {
  for (record::Module& module : modules_) {
    if (module.path == this_program()) module.path.clear();
  }
  Image image(modules_, this_program());
  Symbolizer symbolizer(image);
  int argument = 0;
  const Spot spot = spot_in_function(argument);
  EXPECT_EQ(symbolizer.frames_at(spot.pc).front().source.line, spot.line);
}

}  // namespace
}  // namespace anyorder::report
