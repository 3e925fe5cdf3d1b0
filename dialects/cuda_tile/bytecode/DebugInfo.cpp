// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/cuda_tile/bytecode/DebugInfo.h"

#include "llvm/ADT/StringExtras.h"

namespace tileir::bytecode {

using namespace mlir;
using namespace mlir::cuda_tile;

namespace {
/// Reads the fields of one debug attribute; reports the first that fails, and
/// returns null values for later ones.
class Fields {
public:
  Fields(Cursor &cursor, Tables &tables, DebugInfo &info)
      : cursor(cursor), tables(tables), info(info) {}

  template <typename AttrT> AttrT attr(StringRef field, StringRef owner) {
    uint64_t number;
    AttrT result;
    if (ok && cursor.readVarInt(number))
      result = dyn_cast_if_present<AttrT>(info.getPart(number));
    check(bool(result), field, owner);
    return result;
  }

  StringAttr string(StringRef field, StringRef owner) {
    StringAttr text;
    if (ok)
      check(bool(text = tables.readStringAttr(cursor)), field, owner);
    return text;
  }

  unsigned number(StringRef field, StringRef owner) {
    uint64_t value = 0;
    if (ok)
      check(cursor.readVarInt(value) && value <= UINT32_MAX, field, owner);
    return static_cast<unsigned>(value);
  }

  explicit operator bool() const { return ok; }

private:
  void check(bool condition, StringRef field, StringRef owner) {
    if (!ok || condition)
      return;
    ok = false;
    (void)cursor.fail("failed to read " + field + " when parsing " + owner);
  }

  Cursor &cursor;
  Tables &tables;
  DebugInfo &info;
  bool ok = true;
};
} // namespace

/// Reads a count, padding to the width of `T`, and the numbers.
template <typename T>
static LogicalResult readNumbers(Cursor &cursor, Numbers<T> &values,
                                 const char *count, const char *padding,
                                 const char *pointer, const char *skip) {
  uint64_t number;
  if (!cursor.readVarInt(number))
    return cursor.fail(count);
  if (number == 0) {
    // Without numbers no alignment is needed; a section may end here.
    cursor.skipPadding(sizeof(T));
    return success();
  }
  if (!cursor.skipPadding(sizeof(T)))
    return cursor.fail(padding);
  if (cursor.remaining() < sizeof(T))
    return cursor.fail(pointer);
  if (number > cursor.remaining() / sizeof(T))
    return cursor.fail(skip);
  ArrayRef<uint8_t> bytes;
  cursor.readBytes(number * sizeof(T), bytes);
  values = Numbers<T>(bytes);
  return success();
}

LogicalResult DebugInfo::read(ArrayRef<uint8_t> payload) {
  Cursor cursor(payload, tables.getContext());
  if (failed(readNumbers(
          cursor, starts,
          "failed to read total number of operations with debug info",
          "failed to skip padding for debug info index offset pointer",
          "failed to read debug info index offset pointer.",
          "failed to skip debug info index offsets")) ||
      failed(readNumbers(
          cursor, numbers, "failed to read total number of debug info indices",
          "failed to skip padding for debug info indices pointer",
          "failed to read debug info indices pointer",
          "failed to skip debug info indices")))
    return failure();
  for (size_t i = 0; i != starts.size(); ++i) {
    uint64_t end = i + 1 == starts.size() ? numbers.size() : starts[i + 1];
    if (starts[i] > end || end > numbers.size())
      return cursor.fail("invalid item range in section " +
                         Twine(unsigned(Section::Debug)) + ": item " +
                         Twine(i) + " starts at " + Twine(starts[i]) +
                         " and ends at " + Twine(end));
  }
  if (cursor.empty())
    return cursor.fail("failed to read total number of debug info attributes");
  if (failed(readItems(cursor, Section::Debug, "debug info attributes", items)))
    return failure();
  attrs.resize(items.size());
  visited.resize(items.size());
  extents.resize(items.size());
  return success();
}

bool DebugInfo::getList(uint64_t list, Numbers<uint64_t> &result) const {
  if (list == 0 || list > starts.size())
    return false;
  uint64_t start = starts[list - 1];
  uint64_t end = list == starts.size() ? numbers.size() : starts[list];
  result = numbers.slice(start, end - start);
  return true;
}

LocationAttr DebugInfo::getLocation(uint64_t number) {
  return dyn_cast_if_present<LocationAttr>(getAttr(number));
}

Attribute DebugInfo::decode(uint64_t number) {
  if (number == 0)
    return unknown;
  if (number > items.size() || visited[number - 1])
    return {};
  auto failNesting = [&]() -> Attribute {
    emitError(UnknownLoc::get(tables.getContext())) << "nesting too deep";
    return {};
  };
  if (depth == kMaxDepth)
    return failNesting();
  visited.set(number - 1);
  Cursor cursor(items[number - 1], tables.getContext());
  Extent outerParts = std::exchange(parts, Extent());
  ++depth;
  Attribute attr = parse(cursor, number);
  --depth;
  // A decoded entry is not decoded again, so `depth` alone does not bound the
  // nesting.
  Extent extent = std::exchange(parts, outerParts).whole();
  if (extent.isTooLarge())
    return attr ? failNesting() : Attribute();
  extents[number - 1] = {static_cast<uint16_t>(extent.depth),
                         static_cast<uint16_t>(extent.size)};
  return attrs[number - 1] = attr;
}

Attribute DebugInfo::getPart(uint64_t number) {
  Attribute attr = getAttr(number);
  if (attr && number != 0)
    parts.add({extents[number - 1].depth, extents[number - 1].size});
  return attr;
}

Attribute DebugInfo::parse(Cursor &item, uint64_t number) {
  uint64_t tag;
  if (!item.readVarInt(tag))
    return {};
  Cursor cursor = item.rest();
  Attribute attr;
  switch (tag) {
  case uint64_t(DebugTag::CompileUnit):
    attr = parseCompileUnit(cursor);
    break;
  case uint64_t(DebugTag::File):
    attr = parseFile(cursor);
    break;
  case uint64_t(DebugTag::LexicalBlock):
    attr = parseLexicalBlock(cursor);
    break;
  case uint64_t(DebugTag::Loc):
    attr = parseLoc(cursor);
    break;
  case uint64_t(DebugTag::Subprogram):
    attr = parseSubprogram(cursor);
    break;
  case uint64_t(DebugTag::CallSite):
    attr = parseCallSite(cursor);
    break;
  case uint64_t(DebugTag::Unknown):
    attr = unknown;
    break;
  default:
    // A kind of later producers; its payload cannot be checked.
    return unknown;
  }
  if (attr && !cursor.empty()) {
    (void)cursor.fail("unexpected trailing bytes in debug attribute " +
                      Twine(number));
    return {};
  }
  return attr;
}

Attribute DebugInfo::parseCompileUnit(Cursor &cursor) {
  Fields fields(cursor, tables, *this);
  auto file = fields.attr<DIFileAttr>("file attribute", "DICompileUnitAttr");
  if (!fields)
    return {};
  return DICompileUnitAttr::get(tables.getContext(), file);
}

Attribute DebugInfo::parseFile(Cursor &cursor) {
  Fields fields(cursor, tables, *this);
  StringAttr name = fields.string("file name attribute", "DIFileAttr");
  StringAttr directory = fields.string("directory attribute", "DIFileAttr");
  if (!fields)
    return {};
  return DIFileAttr::get(tables.getContext(), name, directory);
}

Attribute DebugInfo::parseLexicalBlock(Cursor &cursor) {
  constexpr StringLiteral owner = "DILexicalBlockAttr";
  Fields fields(cursor, tables, *this);
  auto scope = fields.attr<DILocalScopeAttr>("scope attribute", owner);
  auto file = fields.attr<DIFileAttr>("file attribute", owner);
  unsigned line = fields.number("line number", owner);
  unsigned column = fields.number("column number", owner);
  if (!fields)
    return {};
  return DILexicalBlockAttr::get(tables.getContext(), scope, file, line,
                                 column);
}

Attribute DebugInfo::parseLoc(Cursor &cursor) {
  constexpr StringLiteral owner = "FileLineColLoc";
  Fields fields(cursor, tables, *this);
  auto scope = fields.attr<DILocalScopeAttr>("scope attribute", "DILocAttr");
  StringAttr file = fields.string("file name attribute", owner);
  unsigned line = fields.number("line number", owner);
  unsigned column = fields.number("column number", owner);
  if (!fields)
    return {};
  return DILocAttr::get(tables.getContext(),
                        FileLineColLoc::get(file, line, column), scope);
}

Attribute DebugInfo::parseSubprogram(Cursor &cursor) {
  constexpr StringLiteral owner = "DISubprogramAttr";
  Fields fields(cursor, tables, *this);
  auto file = fields.attr<DIFileAttr>("file attribute", owner);
  unsigned line = fields.number("line number", owner);
  StringAttr name = fields.string("name attribute", owner);
  StringAttr linkageName = fields.string("linkage name attribute", owner);
  auto unit = fields.attr<DICompileUnitAttr>("compile unit attribute", owner);
  unsigned scopeLine = fields.number("scope line number", owner);
  DISubprogramFlags flags = DISubprogramFlags::None;
  if (fields && tables.getVersion() >= kVersion13_5) {
    uint64_t bits;
    if (!cursor.readVarInt(bits)) {
      (void)cursor.fail("failed to read flags when parsing " + owner);
      return {};
    }
    if (uint64_t unknown = bits & ~kSubprogramDeclaration) {
      (void)cursor.fail("unrecognized flag bits (0x" +
                        llvm::utohexstr(unknown) + ") when parsing " + owner);
      return {};
    }
    if (bits & kSubprogramDeclaration)
      flags = DISubprogramFlags::Declaration;
  }
  if (!fields)
    return {};
  return DISubprogramAttr::get(tables.getContext(), file, line, name,
                               linkageName, unit, scopeLine, flags);
}

Attribute DebugInfo::parseCallSite(Cursor &cursor) {
  Fields fields(cursor, tables, *this);
  auto callee = fields.attr<LocationAttr>("callee attribute", "CallSiteLoc");
  auto caller = fields.attr<LocationAttr>("caller attribute", "CallSiteLoc");
  if (!fields)
    return {};
  return CallSiteLoc::get(Location(callee), Location(caller));
}

} // namespace tileir::bytecode
