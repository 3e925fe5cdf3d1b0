// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SERIALIZE_PTX_ENTRYHEADER_H
#define SERIALIZE_PTX_ENTRYHEADER_H

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace tileir {

/// Header of one `.entry` of a PTX text.
struct EntryHeader {
  std::string name;
  /// Each parameter's text without the comma: `.hidden .param .u64 …`.
  std::vector<std::string> parameters;
  /// Each directive between `)` and `{`: `.reqntid 128`.
  std::vector<std::string> directives;
  /// Offsets in the text: the first byte inside of the parameter list, the `)`,
  /// and the `{`.
  size_t parametersBegin = 0;
  size_t parametersEnd = 0;
  size_t bodyBegin = 0;

  unsigned hiddenCount() const;
  /// Operand text of `.name`; nothing when the directive is absent.
  std::optional<std::string> directive(llvm::StringRef name) const;
};

/// Parses the headers of all entries with a body, in the order of the text.
/// Returns nothing when a header does not parse; `error` then says where.
std::optional<std::vector<EntryHeader>> parseEntryHeaders(llvm::StringRef ptx,
                                                          std::string &error);

/// Version (times ten) and target line of a PTX text.
struct ModuleHeader {
  unsigned version = 0;
  std::string target;
  bool debug = false;
};
std::optional<ModuleHeader> parseModuleHeader(llvm::StringRef ptx);

/// Edits of the text that LLVM's printer cannot write.
struct EntryEdits {
  /// Number of trailing parameters to hide, by entry.
  llvm::StringMap<unsigned> hidden;
  /// `.language <n>` on every entry; 0 for none.
  unsigned language = 0;
  /// `.minperctamemory <n>` by entry.
  llvm::StringMap<uint64_t> perCTAMemory;
  /// Minimum of `.version`, times ten.
  unsigned minimumVersion = 0;
};

/// Applies `edits` to headers only and checks the result by parsing it again.
/// On failure `ptx` is unchanged and `error` says why.
bool editEntryHeaders(std::string &ptx, const EntryEdits &edits,
                      std::string &error);

/// Returns the offset of the first byte that ptxas rejects: anything but tab,
/// line feed, carriage return and 0x20 to 0x7e.
std::optional<size_t> findForeignByte(llvm::StringRef ptx);

} // namespace tileir

#endif // SERIALIZE_PTX_ENTRYHEADER_H
