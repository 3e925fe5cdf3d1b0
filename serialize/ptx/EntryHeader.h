// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SERIALIZE_PTX_ENTRYHEADER_H
#define SERIALIZE_PTX_ENTRYHEADER_H

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace tileir {

/// One `.entry` of a PTX text, as far as its header goes.
struct EntryHeader {
  std::string name;
  /// Each parameter's text without the comma: `.hidden .param .u64 …`.
  std::vector<std::string> parameters;
  /// Each directive between `)` and `{`: `.reqntid 128`.
  std::vector<std::string> directives;
  /// Offsets in the text: first byte of the parameter list's inside, the `)`,
  /// and the `{`.
  size_t parametersBegin = 0;
  size_t parametersEnd = 0;
  size_t bodyBegin = 0;

  unsigned hiddenCount() const;
  /// Operand text of `.name`, nothing when the directive is absent.
  std::optional<std::string> directive(llvm::StringRef name) const;
};

/// Headers of all entries that have a body, in the order of the text. Nothing
/// when a header does not parse; `error` then says where.
std::optional<std::vector<EntryHeader>> parseEntryHeaders(llvm::StringRef ptx,
                                                          std::string &error);

/// Version (times ten) and target line of a PTX text.
struct ModuleHeader {
  unsigned version = 0;
  std::string target;
  bool debug = false;
};
std::optional<ModuleHeader> parseModuleHeader(llvm::StringRef ptx);

/// Edits of the text, for what LLVM's printer cannot write.
struct EntryEdits {
  /// Number of trailing parameters to hide, by entry.
  llvm::StringMap<unsigned> hidden;
  /// `.language <n>` on every entry; 0 for none.
  unsigned language = 0;
  /// `.minperctamemory <n>` by entry.
  llvm::StringMap<uint64_t> perCTAMemory;
  /// The `.version`, times ten, is raised to this.
  unsigned minimumVersion = 0;
};

/// Applies `edits` to headers only and checks the result by parsing it again.
/// On failure `ptx` is unchanged and `error` says why.
bool editEntryHeaders(std::string &ptx, const EntryEdits &edits,
                      std::string &error);

/// A byte that ptxas does not take: anything but tab, line feed, carriage
/// return and 0x20 to 0x7e. Returns its offset.
std::optional<size_t> findForeignByte(llvm::StringRef ptx);

} // namespace tileir

#endif // SERIALIZE_PTX_ENTRYHEADER_H
