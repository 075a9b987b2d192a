#include "runs/cells.hpp"

#include <iomanip>
#include <sstream>

namespace bench {

std::string digits(double value) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(value < 10 ? 2 : value < 100 ? 1 : 0) << value;
  return text.str();
}

std::string spread_cell(const Spread& spread) {
  return digits(spread.median) + " (" + digits(spread.first_quartile) + ".." + digits(spread.third_quartile) +
         ")";
}

}  // namespace bench
