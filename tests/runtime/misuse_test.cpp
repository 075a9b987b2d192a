// Misuse: each is answered by a usage_error with the line of the call, and nothing stays locked.

#include <functional>
#include <string>
#include <thread>

#include "executors.hpp"

namespace {

ANYORDER_ON_EACH_EXECUTOR(Misuse);

// The message of the usage_error that f throws; empty if it throws none.
template <class F>
std::string error_of(F&& f) {
  try {
    f();
  } catch (const ao::usage_error& e) {
    return e.what();
  }
  return {};
}

std::string line(int number) { return __FILE__ ":" + std::to_string(number) + ":"; }

void expect_free() {
  int x = 0;
  std::thread([&] {
    ao::isolated([&] { ++x; });
    ao::isolated(&x, [&] { ++x; });
  }).join();
  ao::finish([&] { ao::async([&] { ao::isolated([&] { ++x; }); }); });
  EXPECT_EQ(x, 3);
}

TEST_P(Misuse, GetOnAnEmptyHandle) {
  const ao::future<int> empty;
  const std::string error = error_of([&] { static_cast<void>(empty.get()); });
  EXPECT_EQ(error.find(line(__LINE__ - 1)), 0U) << error;
  EXPECT_NE(error.find("empty"), std::string::npos) << error;
  const ao::future<void> empty_void;
  EXPECT_THROW(empty_void.get(), ao::usage_error);
  const ao::future<int&> empty_reference;
  EXPECT_THROW(static_cast<void>(empty_reference.get()), ao::usage_error);
}

TEST_P(Misuse, GetOnAMovedFromHandle) {
  ao::finish([] {
    auto f = ao::async_future([] { return 1; });
    const auto g = std::move(f);
    const std::string error =
        error_of([&] { static_cast<void>(f.get()); });  // NOLINT(bugprone-use-after-move)
    EXPECT_EQ(error.find(line(__LINE__ - 1)), 0U) << error;
    EXPECT_EQ(g.get(), 1);
  });
}

TEST_P(Misuse, GetOnAnEmptyHandleInATaskReachesItsFinish) {
  EXPECT_THROW(ao::finish([] { ao::async([] { ao::future<int>().get(); }); }), ao::usage_error);
}

struct Operation {
  const char* name;
  int line;
  std::function<void()> call;
};

TEST_P(Misuse, TaskOperationsInsideAnIsolatedSection) {
  ao::future<int> ended;
  ao::finish([&] { ended = ao::async_future([] { return 1; }); });
  const int object = 0;
  struct alignas(64) Wide {
    int value = 0;
  };
  const Operation operations[] = {
      {"async", __LINE__, [] { ao::async([] { ADD_FAILURE(); }); }},
      {"async", __LINE__, [] { ao::async([w = Wide{}] { ADD_FAILURE() << w.value; }); }},
      {"async_future", __LINE__, [] { ao::async_future([] { ADD_FAILURE(); }); }},
      {"forasync", __LINE__, [] { ao::forasync(0, 3, [](int /*i*/) { ADD_FAILURE(); }); }},
      {"finish", __LINE__, [] { ao::forall(0, 3, [](int /*i*/) { ADD_FAILURE(); }); }},
      {"finish", __LINE__, [] { ao::finish([] { ADD_FAILURE(); }); }},
      {"get", __LINE__, [&] { static_cast<void>(ended.get()); }},
      {"isolated", __LINE__, [] { ao::isolated([] { ADD_FAILURE(); }); }},
      {"isolated", __LINE__, [&] { ao::isolated(&object, [] { ADD_FAILURE(); }); }},
  };
  for (const Operation& operation : operations) {
    SCOPED_TRACE(std::string(operation.name) + " at line " + std::to_string(operation.line));
    const auto check = [&](const std::string& error) {
      EXPECT_EQ(error.find(line(operation.line) + " " + operation.name + " inside"), 0U) << error;
    };
    const int entered = __LINE__ + 1;
    const std::string global = error_of([&] { ao::isolated([&] { operation.call(); }); });
    check(global);
    EXPECT_NE(global.find("misuse_test.cpp:" + std::to_string(entered)), std::string::npos) << global;
    const int entered_on = __LINE__ + 1;
    const std::string on_object = error_of([&] { ao::isolated(&object, [&] { operation.call(); }); });
    check(on_object);
    EXPECT_NE(on_object.find("misuse_test.cpp:" + std::to_string(entered_on)), std::string::npos)
        << on_object;
    check(
        error_of([&] { ao::finish([&] { ao::async([&] { ao::isolated([&] { operation.call(); }); }); }); }));
    // Caught inside, the section goes on and still excludes; then it is over.
    ao::isolated([&] {
      check(error_of([&] { operation.call(); }));
      check(error_of([&] { operation.call(); }));
    });
    expect_free();
  }
}

TEST_P(Misuse, NothingIsLeftOfWhatWasRefused) {
  ao::finish([] {
    ao::isolated([] {
      for (int i = 0; i != 10; ++i) {
        EXPECT_THROW(ao::async([] {}), ao::usage_error);
        EXPECT_THROW(ao::finish([] {}), ao::usage_error);
      }
    });
    ao::async([] {});
  });
  int x = 0;
  ao::finish([&] { ao::async([&] { x = 1; }); });
  EXPECT_EQ(x, 1);
}

TEST_P(Misuse, ConfigureInsideAFinishOrATask) {
  const ao::options other{ao::executor::parallel, 3, 0};
  const std::string in_finish = ao::finish([&] { return error_of([&] { ao::configure(other); }); });
  EXPECT_EQ(in_finish.find(line(__LINE__ - 1)), 0U) << in_finish;
  std::string in_task;
  ao::finish([&] { ao::async([&] { in_task = error_of([&] { ao::configure(other); }); }); });
  EXPECT_EQ(in_task.find(line(__LINE__ - 1)), 0U) << in_task;
  std::string in_future;
  ao::finish([&] {
    ao::async_future([&] { ao::finish([&] { in_future = error_of([&] { ao::configure(other); }); }); }).get();
  });
  EXPECT_NE(in_future, "");
  EXPECT_EQ(ao::configuration().workers, GetParam().options.workers) << "nothing was changed";
}

TEST_P(Misuse, ConfigureWithImpossibleValues) {
  ao::options wanted = GetParam().options;
  wanted.workers = 1025;
  EXPECT_THROW(ao::configure(wanted), ao::usage_error);
  wanted = GetParam().options;
  wanted.serial_stack = 1024;
  EXPECT_THROW(ao::configure(wanted), ao::usage_error);
  wanted.serial_stack = (std::size_t{1} << 46) + 1;
  EXPECT_THROW(ao::configure(wanted), ao::usage_error);
  EXPECT_EQ(ao::configuration().workers, GetParam().options.workers);
}

}  // namespace
