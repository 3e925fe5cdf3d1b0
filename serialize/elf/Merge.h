// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SERIALIZE_ELF_MERGE_H
#define SERIALIZE_ELF_MERGE_H

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace tileir {

/// Adds one note section to `file`, after all others and never loaded: existing
/// contents keep their offsets. Returns nothing when `file` is no ELF64 file.
std::optional<std::string> addNoteSection(llvm::StringRef file,
                                          llvm::StringRef section,
                                          llvm::StringRef owner,
                                          llvm::StringRef text);

/// Two relocatable objects of one machine as one, sections of `first` first;
/// what one refers to and the other defines is one symbol.
/// Nothing and `error` when one of them is none.
std::optional<std::string>
mergeObjects(llvm::StringRef first, llvm::StringRef second, std::string &error);

} // namespace tileir

#endif // SERIALIZE_ELF_MERGE_H
