#include "frontends/llvm_pass/sites.hpp"

#include <array>
#include <cstddef>
#include <llvm/ADT/SmallString.h>
#include <llvm/Support/Path.h>
#include <string>

#include "events/site.hpp"
#include "frontends/llvm_pass/switches.hpp"

namespace anyorder::llvm_pass {
namespace {

using events::SiteRecord;
using llvm::Constant;
using llvm::ConstantInt;
using llvm::DILocation;
using llvm::DIScope;
using llvm::DISubprogram;

constexpr unsigned kWords = sizeof(SiteRecord) / sizeof(std::uint32_t);
constexpr std::size_t word_at(std::size_t offset) { return offset / sizeof(std::uint32_t); }

// Of a module that goes to the linker as it is now. clang says which these are before it runs any pass.
bool is_inlined_at_link_time(const llvm::Module& module) {
  return module.getModuleFlag("ThinLTO") != nullptr || module.getModuleFlag("EnableSplitLTOUnit") != nullptr;
}

std::string path_of(const DILocation& location) {
  const llvm::StringRef file = location.getFilename();
  if (file.empty() || llvm::sys::path::is_absolute(file)) return file.str();
  llvm::SmallString<128> path(location.getDirectory());
  llvm::sys::path::append(path, file);
  return path.str().str();
}

// As report/names.hpp has it from debug information.
std::string qualified_name(const DISubprogram& function) {
  std::string name = function.getName().str();
  if (name.empty()) return name;
  for (const DIScope* scope = function.getScope(); scope != nullptr; scope = scope->getScope()) {
    if (!llvm::isa<llvm::DINamespace, llvm::DICompositeType, DISubprogram>(scope)) continue;
    llvm::StringRef around = scope->getName();
    if (around.empty()) {
      around = llvm::isa<llvm::DINamespace>(scope)               ? "(anonymous namespace)"
               : llvm::StringRef(name).starts_with("operator()") ? "{lambda}"
                                                                 : "(unnamed)";
    }
    name.insert(0, (around + "::").str());
  }
  return name;
}

}  // namespace

Sites::Sites(llvm::Module& module)
    : module_(module),
      are_wanted_(!no_sites && !is_inlined_at_link_time(module)),
      word_(llvm::Type::getInt32Ty(module.getContext())),
      length_(llvm::Type::getInt64Ty(module.getContext())),
      type_(llvm::ArrayType::get(word_, kWords)) {}

Constant* Sites::at(llvm::Function& function, const DILocation* location, llvm::StringRef expression) {
  if (!are_wanted_ || location == nullptr || location->getLine() == 0 || location->getFilename().empty()) {
    return nullptr;
  }
  return llvm::ConstantExpr::getAdd(
      llvm::ConstantExpr::getPtrToInt(record(function, *location, expression), length_),
      ConstantInt::get(length_, events::kBehindSite));
}

llvm::GlobalVariable* Sites::record(llvm::Function& function, const DILocation& location,
                                    llvm::StringRef expression) {
  auto* const record = new llvm::GlobalVariable(module_, type_, true, llvm::GlobalValue::PrivateLinkage,
                                                nullptr, "anyorder_site");
  record->setSection(events::kSiteSection);
  record->setComdat(function.getComdat());
  record->setAlignment(llvm::Align(alignof(SiteRecord)));

  std::array<Constant*, kWords> words;
  words.fill(ConstantInt::get(word_, 0));
  const auto set = [&](std::size_t offset, std::uint64_t value) {
    words[word_at(offset)] = ConstantInt::get(word_, value);
  };
  const auto refer = [&](std::size_t offset, Constant* to) {
    if (to == nullptr) return;
    Constant* const from = llvm::ConstantExpr::getInBoundsGetElementPtr(
        type_, record,
        llvm::ArrayRef<Constant*>{ConstantInt::get(word_, 0), ConstantInt::get(word_, word_at(offset))});
    words[word_at(offset)] = llvm::ConstantExpr::getTrunc(
        llvm::ConstantExpr::getSub(llvm::ConstantExpr::getPtrToInt(to, length_),
                                   llvm::ConstantExpr::getPtrToInt(from, length_)),
        word_);
  };
  const DISubprogram* const scope = location.getScope()->getSubprogram();
  llvm::StringRef name = scope->getLinkageName();
  if (name.empty() && location.getInlinedAt() == nullptr) name = function.getName();
  refer(offsetof(SiteRecord, function), text(name));
  refer(offsetof(SiteRecord, declared), text(qualified_name(*scope)));
  refer(offsetof(SiteRecord, file), text(path_of(location)));
  set(offsetof(SiteRecord, line), location.getLine());
  set(offsetof(SiteRecord, column), location.getColumn());
  refer(offsetof(SiteRecord, caller), caller(function, location.getInlinedAt()));
  refer(offsetof(SiteRecord, expression), text(expression));
  record->setInitializer(llvm::ConstantArray::get(type_, words));
  return record;
}

// Calls of many checks, so that it is written once.
llvm::GlobalVariable* Sites::caller(llvm::Function& function, const DILocation* location) {
  if (location == nullptr) return nullptr;
  if (auto* const known = callers_.lookup({&function, location})) return known;
  auto* const made = record(function, *location, {});
  callers_[{&function, location}] = made;
  return made;
}

Constant* Sites::text(llvm::StringRef text) {
  if (text.empty()) return nullptr;
  Constant*& known = texts_[text];
  if (known == nullptr) {
    auto* const value = llvm::ConstantDataArray::getString(module_.getContext(), text);
    auto* const made = new llvm::GlobalVariable(module_, value->getType(), true,
                                                llvm::GlobalValue::PrivateLinkage, value, "anyorder_text");
    made->setSection(events::kSiteTextSection);
    made->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);  // the linker keeps one of equal ones
    made->setAlignment(llvm::Align(1));
    known = made;
  }
  return known;
}

}  // namespace anyorder::llvm_pass
