// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/tileir-lsp-server/Documentation.h"

#include "llvm/ADT/StringMap.h"

using llvm::StringRef;

/// The pages that TableGen generates for the dialects, concatenated.
static const char kPages[] =
#include "tools/tileir-lsp-server/Pages.inc"
    ;

/// Returns the sections by operation name.
static llvm::StringMap<StringRef> readPages() {
  llvm::StringMap<StringRef> sections;
  constexpr StringRef mark = "\n### `";
  StringRef rest = kPages;
  for (size_t at; (at = rest.find(mark)) != StringRef::npos;) {
    auto [name, remaining] = rest.substr(at + mark.size()).split('`');
    StringRef text = remaining.drop_front(remaining.find('\n'));
    // An operation's section ends at the next one, or at the attributes.
    text = text.take_front(std::min(text.find("\n### "), text.find("\n## ")));
    sections.try_emplace(name, text.trim());
    rest = remaining;
  }
  return sections;
}

StringRef tileir::findDocumentation(StringRef operation) {
  static const llvm::StringMap<StringRef> sections = readPages();
  return sections.lookup(operation);
}
