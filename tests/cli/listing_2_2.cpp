// Listing 2.2 of the known joins paper: two futures that get each other. The handles are passed on in order,
// so that the cycle closes in each run.

#include <atomic>
#include <iostream>
#include <thread>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int main(int count, char** /*words*/) {
  const bool catches = count > 1;
  ao::future<int> x;
  ao::future<int> y;
  std::atomic<int> begun{0};
  std::atomic<bool> ready{false};
  const auto get = [&](const ao::future<int>& other) {
    ++begun;
    while (!ready || begun != 2) std::this_thread::yield();
    if (!catches) return other.get();
    try {
      return other.get();
    } catch (const ao::deadlock_error& error) {
      std::cout << "caught: " << error.what() << '\n';
      return 1;
    }
  };
  ao::configure({ao::executor::parallel, 3, 0, ao::configuration().joins});
  ao::finish([&] {
    x = ao::async_future([&] { return get(y); });
    y = ao::async_future([&] { return get(x); });
    ready = true;
  });
}
