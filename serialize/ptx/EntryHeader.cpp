// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "serialize/ptx/EntryHeader.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace tileir {

using llvm::StringRef;

static bool isIdentifierChar(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '$' || c == '%';
}

namespace {

/// Scanner of PTX text that skips comments and strings.
class Scanner {
public:
  explicit Scanner(StringRef text) : text(text) {}

  size_t position() const { return at; }
  bool atEnd() const { return at >= text.size(); }
  char peek() const { return atEnd() ? '\0' : text[at]; }

  /// Skips blanks and comments. Returns false at the end of the text.
  bool skipBlanks() {
    while (!atEnd()) {
      if (llvm::isSpace(text[at])) {
        ++at;
      } else if (text.substr(at).starts_with("//")) {
        at = std::min(text.find('\n', at), text.size());
      } else if (text.substr(at).starts_with("/*")) {
        size_t end = text.find("*/", at + 2);
        at = end == StringRef::npos ? text.size() : end + 2;
      } else {
        return true;
      }
    }
    return false;
  }

  /// Returns a string, a word with its leading dot, or one character.
  StringRef next() {
    if (!skipBlanks())
      return {};
    size_t begin = at;
    if (text[at] == '"') {
      for (++at; !atEnd() && text[at] != '"'; ++at)
        if (text[at] == '\\')
          ++at;
      at = std::min(at + 1, text.size());
    } else if (isIdentifierChar(text[at]) || text[at] == '.') {
      for (++at; !atEnd() && isIdentifierChar(text[at]); ++at) {
      }
    } else {
      ++at;
    }
    return text.slice(begin, at);
  }

private:
  StringRef text;
  size_t at = 0;
};

} // namespace

unsigned EntryHeader::hiddenCount() const {
  return unsigned(llvm::count_if(
      parameters, [](StringRef p) { return p.starts_with(".hidden"); }));
}

std::optional<std::string> EntryHeader::directive(StringRef wanted) const {
  for (StringRef d : directives)
    if (d.consume_front(".") && d.consume_front(wanted) &&
        (d.empty() || d.front() == ' '))
      return d.trim().str();
  return std::nullopt;
}

std::optional<std::vector<EntryHeader>> parseEntryHeaders(StringRef ptx,
                                                          std::string &error) {
  std::vector<EntryHeader> headers;
  Scanner scan(ptx);
  auto fail = [&](const llvm::Twine &what) {
    unsigned line = 1 + unsigned(ptx.take_front(scan.position()).count('\n'));
    error = ("line " + llvm::Twine(line) + ": " + what).str();
    return std::nullopt;
  };
  unsigned depth = 0;
  for (;;) {
    StringRef token = scan.next();
    if (token.empty())
      return headers;
    if (token == "{")
      ++depth;
    if (token == "}" && depth)
      --depth;
    if (depth || token != ".entry")
      continue;
    EntryHeader header;
    header.name = scan.next().str();
    scan.skipBlanks();
    if (scan.peek() == '(') {
      scan.next();
      header.parametersBegin = scan.position();
      std::string words;
      unsigned brackets = 0;
      for (;;) {
        scan.skipBlanks();
        size_t before = scan.position();
        token = scan.next();
        if (token.empty())
          return fail("the parameters of entry '" + header.name +
                      "' do not end");
        if (brackets == 0 && (token == ")" || token == ",")) {
          if (!words.empty())
            header.parameters.push_back(words);
          words.clear();
          if (token == ",")
            continue;
          header.parametersEnd = before;
          break;
        }
        if (token == "[")
          ++brackets;
        if (token == "]" && brackets)
          --brackets;
        bool joinsTokens = token == "[" || token == "]" ||
                           llvm::StringRef(words).ends_with("[");
        if (!words.empty() && !joinsTokens)
          words += ' ';
        words += token;
      }
    } else {
      header.parametersBegin = header.parametersEnd = scan.position();
    }
    bool declaration = false;
    for (;;) {
      scan.skipBlanks();
      header.bodyBegin = scan.position();
      token = scan.next();
      if (token.empty())
        return fail("entry '" + header.name + "' has no body");
      if (token == "{")
        break;
      if (token == ";") {
        declaration = true;
        break;
      }
      if (token.starts_with("."))
        header.directives.push_back(token.str());
      else if (header.directives.empty())
        return fail("unexpected '" + token + "' after entry '" + header.name +
                    "'");
      else
        header.directives.back() += (token == "," ? "" : " ") + token.str();
    }
    if (declaration)
      continue;
    ++depth;
    headers.push_back(std::move(header));
  }
}

std::optional<ModuleHeader> parseModuleHeader(StringRef ptx) {
  Scanner scan(ptx);
  ModuleHeader header;
  if (scan.next() != ".version")
    return std::nullopt;
  StringRef major = scan.next(), minor = scan.next();
  unsigned ma, mi;
  if (major.getAsInteger(10, ma) || !minor.consume_front(".") ||
      minor.getAsInteger(10, mi))
    return std::nullopt;
  header.version = ma * 10 + mi;
  if (scan.next() != ".target")
    return std::nullopt;
  header.target = scan.next().str();
  for (StringRef token = scan.next(); token == ","; token = scan.next())
    header.debug |= scan.next() == "debug";
  return header;
}

bool editEntryHeaders(std::string &ptx, const EntryEdits &edits,
                      std::string &error) {
  std::optional<std::vector<EntryHeader>> before =
      parseEntryHeaders(ptx, error);
  if (!before)
    return false;
  std::optional<ModuleHeader> module = parseModuleHeader(ptx);
  if (!module) {
    error = "the text does not begin with .version and .target";
    return false;
  }

  // Insertions start at the end, so that earlier offsets stay valid.
  std::string text = ptx;
  for (const EntryHeader &entry : llvm::reverse(*before)) {
    std::string directives;
    if (edits.language)
      directives += ".language " + llvm::utostr(edits.language) + "\n";
    if (auto it = edits.perCTAMemory.find(entry.name);
        it != edits.perCTAMemory.end())
      directives += ".minperctamemory " + llvm::utostr(it->second) + "\n";
    text.insert(entry.bodyBegin, directives);

    unsigned hidden = edits.hidden.lookup(entry.name);
    if (hidden > entry.parameters.size()) {
      error =
          "entry '" + entry.name + "' has fewer parameters than hidden ones";
      return false;
    }
    size_t end = entry.parametersEnd;
    for (unsigned i = 0; i < hidden; ++i) {
      size_t at = StringRef(text).take_front(end).rfind(".param");
      if (at == StringRef::npos || at < entry.parametersBegin) {
        error = "entry '" + entry.name + "' has a parameter without .param";
        return false;
      }
      text.insert(at, ".hidden ");
      end = at;
    }
  }
  unsigned version = std::max(module->version, edits.minimumVersion);
  if (version != module->version) {
    size_t at = text.find(".version");
    size_t eol = text.find('\n', at);
    text.replace(at, eol - at,
                 ".version " + llvm::utostr(version / 10) + "." +
                     llvm::utostr(version % 10));
  }

  std::optional<std::vector<EntryHeader>> after =
      parseEntryHeaders(text, error);
  if (!after)
    return false;
  bool same = after->size() == before->size();
  for (size_t i = 0; same && i < after->size(); ++i) {
    const EntryHeader &a = (*after)[i], &b = (*before)[i];
    same = a.name == b.name && a.parameters.size() == b.parameters.size() &&
           a.hiddenCount() == edits.hidden.lookup(a.name);
    for (size_t p = 0; same && p < a.parameters.size(); ++p) {
      StringRef now = a.parameters[p];
      bool hide = p + edits.hidden.lookup(a.name) >= a.parameters.size();
      same = now.consume_front(".hidden ") == hide && now == b.parameters[p];
    }
    if (edits.language)
      same &= a.directive("language") == llvm::utostr(edits.language);
    if (auto it = edits.perCTAMemory.find(a.name);
        it != edits.perCTAMemory.end())
      same &= a.directive("minperctamemory") == llvm::utostr(it->second);
  }
  std::optional<ModuleHeader> head = parseModuleHeader(text);
  if (!same || !head || head->version != version) {
    error = "the edited entry headers do not read back as written";
    return false;
  }
  ptx = std::move(text);
  return true;
}

std::optional<size_t> findForeignByte(StringRef ptx) {
  for (size_t i = 0; i < ptx.size(); ++i) {
    unsigned char c = ptx[i];
    if (!(c == '\t' || c == '\n' || c == '\r' || (c >= 0x20 && c <= 0x7e)))
      return i;
  }
  return std::nullopt;
}

} // namespace tileir
