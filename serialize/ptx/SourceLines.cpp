// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "serialize/ptx/SourceLines.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MD5.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace tileir {

using namespace llvm;

/// LLVM's locations have columns of sixteen bits.
static constexpr size_t maxEntries = 1 << 16;

//===----------------------------------------------------------------------===//
// Encoding
//===----------------------------------------------------------------------===//

/// The path as LLVM prints it in a `.file` directive.
static std::string pathOf(const DIFile *file) {
  if (!file)
    return "";
  SmallString<128> path;
  if (!sys::path::is_absolute(file->getFilename()))
    path = file->getDirectory();
  sys::path::append(path, file->getFilename());
  return path.str().str();
}

static SourceLines::Entry describe(const DILocation &loc) {
  SourceLines::Entry entry;
  entry.line = loc.getLine();
  entry.column = loc.getColumn();
  for (const DILocalScope *scope = loc.getScope();
       scope && !isa<DISubprogram>(scope);
       scope = dyn_cast_or_null<DILocalScope>(
           static_cast<const DILexicalBlockBase *>(scope)->getRawScope()))
    if (auto *file = dyn_cast<DILexicalBlockFile>(scope))
      if (file->getDiscriminator()) {
        entry.tileLine = file->getDiscriminator();
        break;
      }
  for (const DILocation *at = &loc; const DILocation *call = at->getInlinedAt();
       at = call) {
    const DISubprogram *callee = at->getScope()->getSubprogram();
    StringRef name = callee ? callee->getName() : "";
    if (name.empty() && callee)
      name = callee->getLinkageName();
    entry.calls.push_back({pathOf(call->getFile()), call->getLine(),
                           call->getColumn(), name.str()});
  }
  return entry;
}

void SourceLines::encode(Module &module) {
  DenseMap<const DILocation *, DILocation *> encoded;
  for (Function &function : module)
    for (BasicBlock &block : function)
      for (Instruction &inst : block) {
        const DILocation *loc = inst.getDebugLoc();
        if (!loc)
          continue;
        DILocation *&numbered = encoded[loc];
        if (!numbered) {
          unsigned number = 0;
          if (entries.size() < maxEntries) {
            number = entries.size();
            entries.push_back(describe(*loc));
          }
          numbered = DILocation::get(
              module.getContext(), loc->getLine(), number, loc->getScope(),
              loc->getInlinedAt(), loc->isImplicitCode());
        }
        inst.setDebugLoc(numbered);
      }
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

namespace {
/// Rewrites the `.loc` directives of a text and appends the new files.
class Decoder {
public:
  Decoder(StringRef ptx, ArrayRef<SourceLines::Entry> entries, bool inlinedAt,
          const TileText *tile)
      : ptx(ptx), entries(entries), inlinedAt(inlinedAt), tile(tile),
        out(text) {}

  bool run(std::string &error);
  std::string text;

private:
  bool readFiles(std::string &error);
  bool writeLoc(StringRef line, std::string &error);
  void writeTileLine(unsigned line);
  void writeCalls(ArrayRef<SourceLines::Call> calls);
  void writeEnd();
  unsigned fileNumber(StringRef path);
  std::string nameLabel(StringRef name);

  StringRef ptx;
  ArrayRef<SourceLines::Entry> entries;
  bool inlinedAt;
  const TileText *tile;
  raw_string_ostream out;

  /// Number of each file, by its name as the text has it.
  StringMap<unsigned> files;
  unsigned lastFile = 0;
  /// Files without a `.loc` of LLVM.
  std::vector<std::pair<unsigned, std::string>> newFiles;
  MapVector<StringRef, unsigned> names;
  unsigned tileFile = 0;
  std::string tileName;
  SmallVector<StringRef> tileLines;
  /// Line of the current entry, 0 outside of one.
  unsigned entryLine = 0;
  /// Call sites that the function has printed already.
  StringSet<> named;
};
} // namespace

/// Quotes a name as a string of PTX. ptxas has no escapes: the next quotation
/// mark ends the string, and code follows. It treats a backslash as a separator
/// of folders, so the code writes a slash for it.
static std::string quoted(StringRef name) {
  std::string result = "\"";
  for (unsigned char c : name) {
    if (c == '"') {
      result += '\'';
    } else if (c == '\\') {
      result += '/';
    } else if (isPrint(c)) {
      result += char(c);
    } else if (c < 0x20 || c == 0x7f) {
      result += '_';
    } else {
      result += '\\';
      result += char('0' + (c >> 6));
      result += char('0' + ((c >> 3) & 7));
      result += char('0' + (c & 7));
    }
  }
  return result + '"';
}

/// The name that LLVM has quoted, with escapes, in a `.file` directive.
static std::optional<std::string> unquoted(StringRef text) {
  if (!text.consume_front("\"") || !text.consume_back("\""))
    return std::nullopt;
  std::string name;
  while (!text.empty()) {
    char c = text.front();
    text = text.drop_front();
    if (c == '\\') {
      unsigned code;
      if (text.size() >= 3 && !text.take_front(3).getAsInteger(8, code)) {
        name += char(code);
        text = text.drop_front(3);
        continue;
      }
      if (text.empty())
        return std::nullopt;
      c = text.front();
      text = text.drop_front();
      if (StringRef("bfnrt").contains(c))
        c = '\n'; // any line ending
    } else if (c == '"') {
      return std::nullopt;
    }
    name += c;
  }
  return name;
}

static bool isFile(StringRef line) {
  return line.starts_with(".file\t") || line.starts_with(".file ");
}

/// Parses number and name, as a string of PTX, of a `.file 1 "name"` line.
static bool readFile(StringRef line, unsigned &number, std::string &name) {
  line = line.trim();
  line.consume_front(".file");
  line = line.ltrim();
  if (line.consumeInteger(10, number))
    return false;
  std::optional<std::string> bytes = unquoted(line.trim());
  if (bytes)
    name = quoted(*bytes);
  return bytes.has_value();
}

/// Parses `.file 1 "name"` lines.
bool Decoder::readFiles(std::string &error) {
  for (StringRef rest = ptx; !rest.empty();) {
    auto [line, next] = rest.split('\n');
    rest = next;
    unsigned number;
    std::string name;
    if (!isFile(line.ltrim()))
      continue;
    if (!readFile(line, number, name)) {
      error = "a .file directive does not parse: " + line.str();
      return false;
    }
    files[name] = number;
    lastFile = std::max(lastFile, number);
  }
  return true;
}

unsigned Decoder::fileNumber(StringRef path) {
  std::string name = quoted(path);
  auto [it, inserted] = files.try_emplace(name, lastFile + 1);
  if (inserted)
    newFiles.emplace_back(++lastFile, name);
  return it->second;
}

std::string Decoder::nameLabel(StringRef name) {
  auto [it, inserted] = names.insert({name, unsigned(names.size())});
  return "$L__info_string" + utostr(it->second);
}

void Decoder::writeTileLine(unsigned line) {
  if (!line || line > tileLines.size())
    return;
  StringRef text = tileLines[line - 1];
  out << "\t.loc_intermediate\t" << tileFile << ' ' << line << ' '
      << text.size() - text.ltrim(' ').size() + tile->indent << '\n';
}

/// Writes the call sites as locations, from the outermost inwards: an
/// `inlined_at` names an earlier location.
void Decoder::writeCalls(ArrayRef<SourceLines::Call> calls) {
  for (size_t i = calls.size(); i-- > 0;) {
    const SourceLines::Call &call = calls[i];
    std::string loc;
    raw_string_ostream os(loc);
    os << "\t.loc\t" << fileNumber(call.file) << ' ' << call.line << ' '
       << call.column;
    if (i + 1 < calls.size()) {
      const SourceLines::Call &outer = calls[i + 1];
      os << ", function_name " << nameLabel(outer.callee) << ", inlined_at "
         << fileNumber(outer.file) << ' ' << outer.line << ' ' << outer.column;
    }
    if (named.insert(loc).second)
      out << loc << '\n';
  }
}

/// Writes the location `line`, `.loc FILE LINE NUMBER` with an optional rest.
bool Decoder::writeLoc(StringRef line, std::string &error) {
  StringRef rest = line.trim();
  rest.consume_front(".loc");
  unsigned file, at, number;
  auto read = [&](unsigned &value) {
    rest = rest.ltrim();
    return !rest.consumeInteger(10, value);
  };
  if (!read(file) || !read(at) || !read(number)) {
    error = "a .loc directive does not parse: " + line.str();
    return false;
  }
  if (number >= entries.size()) {
    error = "a .loc directive has an unknown number: " + line.str();
    return false;
  }
  const SourceLines::Entry &entry = entries[number];
  // Code without a line keeps the column of the previous line.
  bool calls = inlinedAt && at && !entry.calls.empty();
  if (calls)
    writeCalls(entry.calls);
  out << "\t.loc\t" << file << ' ' << at << ' ' << entry.column;
  if (calls) {
    const SourceLines::Call &call = entry.calls.front();
    out << ", function_name " << nameLabel(call.callee) << ", inlined_at "
        << fileNumber(call.file) << ' ' << call.line << ' ' << call.column;
  }
  out << rest << '\n';
  if (tile && entryLine)
    writeTileLine(at && entry.tileLine ? entry.tileLine : entryLine);
  return true;
}

void Decoder::writeEnd() {
  for (const auto &[number, name] : newFiles)
    out << "\t.file\t" << number << ' ' << name << '\n';
  if (!names.empty()) {
    out << "\t.section\t.debug_str\n\t{\n";
    for (const auto &[name, number] : names) {
      out << "$L__info_string" << number << ":\n";
      for (unsigned char c : name)
        out << ".b8 " << unsigned(c) << '\n';
      out << ".b8 0\n";
    }
    out << "\t}\n";
  }
  if (tile)
    out << ".nv_intermediate_source_section {\n  .code_block {\n"
        << "    .ir_name: \"tile ir\"\n    .sourceFileName: " << tileFile
        << "\n    .source_begin\n"
        << tile->text << ".source_end\n  }\n}\n";
}

bool Decoder::run(std::string &error) {
  if (!readFiles(error))
    return false;
  if (tile) {
    SmallString<32> hash;
    MD5::MD5Result digest = MD5::hash(arrayRefFromStringRef(tile->text));
    MD5::stringifyResult(digest, hash);
    tileFile = fileNumber("./" + hash.str().str());
    StringRef(tile->text).split(tileLines, '\n');
  }
  for (StringRef rest = ptx; !rest.empty();) {
    auto [line, next] = rest.split('\n');
    rest = next;
    StringRef trimmed = line.ltrim();
    if (trimmed.starts_with(".loc\t") || trimmed.starts_with(".loc ")) {
      if (!writeLoc(line, error))
        return false;
      continue;
    }
    if (isFile(trimmed)) {
      unsigned number;
      std::string name;
      readFile(line, number, name);
      out << "\t.file\t" << number << ' ' << name << '\n';
      continue;
    }
    if (line == "{" || line == "}")
      named.clear();
    if (line == "}")
      entryLine = 0;
    size_t at = tile ? trimmed.find(".entry ") : StringRef::npos;
    if (at != StringRef::npos)
      entryLine = tile->kernels.lookup(trimmed.drop_front(at + 7).take_until(
          [](char c) { return c == '(' || c == ' ' || c == '\t'; }));
    out << line << '\n';
  }
  writeEnd();
  return true;
}

bool SourceLines::decode(std::string &ptx, bool inlinedAt, const TileText *tile,
                         std::string &error) const {
  // A text with the end mark of its own quotation cannot be quoted.
  if (tile &&
      (tile->text.empty() || StringRef(tile->text).contains(".source_end") ||
       !StringRef(ptx).contains("\n\t.loc\t")))
    tile = nullptr;
  Decoder decoder(ptx, entries, inlinedAt, tile);
  if (!decoder.run(error))
    return false;
  ptx = std::move(decoder.text);
  return true;
}

} // namespace tileir
