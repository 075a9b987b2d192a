// What `anyorder check` reported about a program, held against the program's marks.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "marks.hpp"

namespace anyorder::programs {

// The code that the command promises for a verdict, for a program that itself ends with 0.
[[nodiscard]] int exit_code_of(const std::string& verdict);

// The pairs of lines that a detector promises to report: all, or some for every racy location.
enum class Pairs { all, some };

// Every way in which the report differs from the marks, as sentences; none: they agree. `program` is the path
// of the source, `report` the parsed JSON, `exit_code` that of the command. Throws nlohmann::json::exception
// if the report does not have the form that the contract gives it.
[[nodiscard]] std::vector<std::string> differences(const Marks& marks, const std::string& program,
                                                   const nlohmann::json& report, int exit_code,
                                                   Pairs pairs = Pairs::all);

// The same for a detector that does not accept a construct of the program, "future" or "isolated": an entry
// names it at a line of the program, and the verdict is unknown, or race if one came before.
[[nodiscard]] std::vector<std::string> differences_if_refused(const Marks& marks, const std::string& program,
                                                              const nlohmann::json& report, int exit_code,
                                                              const std::string& construct);

// Accesses that a report does not place within their lines: without a column, with one that is not in the
// code of the line, or, where the line names the racing variable once, not in the statement that does.
// `source` is the program's text.
[[nodiscard]] std::vector<std::string> misplaced(const nlohmann::json& report, const std::string& program,
                                                 const std::string& source);

// What the oracle's report leaves out: races on memory that it does not name, races without advice.
[[nodiscard]] std::vector<std::string> gaps(const nlohmann::json& report);

}  // namespace anyorder::programs
