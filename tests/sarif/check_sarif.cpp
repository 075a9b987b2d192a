// Says what is wrong with SARIF files: check_sarif <file>...; 0 if nothing is.
#include <exception>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "faults.hpp"

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "usage: check_sarif <file>...\n";
    return 64;
  }
  int result = 0;
  for (const std::string& path : std::vector<std::string>(argv + 1, argv + argc)) {
    try {
      std::ifstream in(path, std::ios::binary);
      for (const std::string& fault : anyorder::sarif::faults(nlohmann::json::parse(in))) {
        std::cout << path << ": " << fault << '\n';
        result = 1;
      }
    } catch (const std::exception& error) {
      std::cout << path << ": " << error.what() << '\n';
      result = 1;
    }
  }
  return result;
}
