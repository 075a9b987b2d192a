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

constexpr std::size_t kWordBytes = sizeof(events::SiteEntry);
constexpr std::size_t kWords = sizeof(SiteRecord) / kWordBytes;

// Of a module that goes to the linker as it is now. clang says which these are before it runs any pass.
bool is_inlined_at_link_time(const llvm::Module& module) {
  return module.getModuleFlag("ThinLTO") != nullptr || module.getModuleFlag("EnableSplitLTOUnit") != nullptr;
}

bool is_known(const Site& site) {
  return site.location != nullptr && site.location->getLine() != 0 && !site.location->getFilename().empty();
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

Constant* Sites::at(llvm::Function& function, llvm::ArrayRef<Site> sites) {
  if (!are_wanted_ || !llvm::all_of(sites, is_known)) return nullptr;
  auto* const type = llvm::ArrayType::get(word_, sites.size());
  llvm::GlobalVariable* const entries = make(function, type, events::kSiteSection);
  llvm::SmallVector<Constant*, 4> offsets;
  for (const Site& site : sites) {
    offsets.push_back(
        offset(record(function, site.location, site.expression), entries, offsets.size() * kWordBytes));
  }
  entries->setInitializer(llvm::ConstantArray::get(type, offsets));
  return llvm::ConstantExpr::getAdd(llvm::ConstantExpr::getPtrToInt(entries, length_),
                                    ConstantInt::get(length_, events::kBehindSite));
}

llvm::GlobalVariable* Sites::record(llvm::Function& function, const DILocation* location,
                                    llvm::StringRef expression) {
  if (location == nullptr) return nullptr;
  llvm::GlobalVariable*& known = records_[{&function, location, text(expression)}];
  if (known != nullptr) return known;
  llvm::GlobalVariable* const made = known = make(function, type_, events::kSiteRecordSection);

  std::array<Constant*, kWords> words;
  words.fill(ConstantInt::get(word_, 0));
  const auto set = [&](std::size_t at, std::uint64_t value) {
    words[at / kWordBytes] = ConstantInt::get(word_, value);
  };
  const auto refer = [&](std::size_t at, llvm::GlobalVariable* to) {
    if (to == nullptr) return;
    words[at / kWordBytes] = offset(to, made, at);
  };
  const DISubprogram* const scope = location->getScope()->getSubprogram();
  llvm::StringRef name = scope->getLinkageName();
  if (name.empty() && location->getInlinedAt() == nullptr) name = function.getName();
  refer(offsetof(SiteRecord, function), text(name));
  refer(offsetof(SiteRecord, declared), text(qualified_name(*scope)));
  refer(offsetof(SiteRecord, file), text(path_of(*location)));
  set(offsetof(SiteRecord, line), location->getLine());
  set(offsetof(SiteRecord, column), location->getColumn());
  refer(offsetof(SiteRecord, caller), record(function, location->getInlinedAt(), {}));
  refer(offsetof(SiteRecord, expression), text(expression));
  made->setInitializer(llvm::ConstantArray::get(type_, words));
  return made;
}

llvm::GlobalVariable* Sites::make(llvm::Function& function, llvm::Type* type, const char* section) {
  auto* const made = new llvm::GlobalVariable(module_, type, true, llvm::GlobalValue::PrivateLinkage, nullptr,
                                              "anyorder_site");
  made->setSection(section);
  made->setComdat(function.getComdat());
  made->setAlignment(llvm::Align(kWordBytes));
  return made;
}

Constant* Sites::offset(llvm::GlobalVariable* to, llvm::GlobalVariable* from, std::uint64_t within) {
  using llvm::ConstantExpr;
  Constant* const place =
      ConstantExpr::getAdd(ConstantExpr::getPtrToInt(from, length_), ConstantInt::get(length_, within));
  return ConstantExpr::getTrunc(ConstantExpr::getSub(ConstantExpr::getPtrToInt(to, length_), place), word_);
}

llvm::GlobalVariable* Sites::text(llvm::StringRef text) {
  if (text.empty()) return nullptr;
  llvm::GlobalVariable*& known = texts_[text];
  if (known == nullptr) {
    auto* const value = llvm::ConstantDataArray::getString(module_.getContext(), text);
    known = new llvm::GlobalVariable(module_, value->getType(), true, llvm::GlobalValue::PrivateLinkage,
                                     value, "anyorder_text");
    known->setSection(events::kSiteTextSection);
    known->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);  // the linker keeps one of equal ones
    known->setAlignment(llvm::Align(1));
  }
  return known;
}

}  // namespace anyorder::llvm_pass
