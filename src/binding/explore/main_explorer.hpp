// A whole program in all orders, or in one: what is run in the place of main.
//
// `anyorder explore`: the process stops in front of main and becomes a source of processes, each of which
// runs main once, in the order that it is asked for. Globals, heap and descriptors are as the constructors of
// the program have left them, each time. `anyorder replay`: main runs once, in this process.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "binding/explore/observed_program.hpp"
#include "explore/shared_states.hpp"

namespace anyorder::binding {

class MainExplorer {
 public:
  using Main = int (*)(int, char**, char**);

  explicit MainExplorer(ObservedProgram& program) : program_(program) {}

  // Whether the process was started to be explored or replayed, if it is instrumented.
  [[nodiscard]] static bool wanted();
  // To be called in the place of main, once; the exit code. May return in other processes, too.
  int run(Main main, int argc, char** argv, char** environment);

 private:
  int replay(const std::string& schedule);
  int explore(std::string_view channels);
  // In a process of its own: starts runs, one after the other.
  int serve(int channel);
  // silent: what it writes goes nowhere.
  int run_for(int channel, bool silent);

  ObservedProgram& program_;
  struct Call {
    Main main = nullptr;
    int argc = 0;
    char** argv = nullptr;
    char** environment = nullptr;
    int result = 0;
  } call_;
  std::string records_;                              // the folder
  std::unique_ptr<exploring::SharedStates> states_;  // those that are known
};

}  // namespace anyorder::binding
