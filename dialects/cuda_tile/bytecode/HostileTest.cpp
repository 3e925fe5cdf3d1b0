// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Malicious files: numbers at the ends of their ranges, counts that would
// exhaust memory, entries that contain themselves.

#include "dialects/cuda_tile/bytecode/TestSupport.h"

#include <map>

using namespace mlir;
using namespace tileir;
using namespace tileir::bytecode_test;

//===----------------------------------------------------------------------===//
// Memory that is allocated
//===----------------------------------------------------------------------===//

/// The largest allocation since the last reset to 0.
static size_t largestAllocation = 0;

// The C library's own functions, under their second names.
extern "C" void *__libc_malloc(size_t size);
extern "C" void *__libc_calloc(size_t count, size_t size);
extern "C" void *__libc_realloc(void *old, size_t size);

extern "C" void *malloc(size_t size) {
  largestAllocation = std::max(largestAllocation, size);
  return __libc_malloc(size);
}
extern "C" void *calloc(size_t count, size_t size) {
  largestAllocation = std::max(largestAllocation, count * size);
  return __libc_calloc(count, size);
}
extern "C" void *realloc(void *old, size_t size) {
  largestAllocation = std::max(largestAllocation, size);
  return __libc_realloc(old, size);
}

namespace {

/// Reads `bytes` and checks its allocations: at most a multiple of the file at
/// once, beyond what the context allocates for any file.
OwningOpRef<cuda_tile::ModuleOp> readWatched(Reading &reading,
                                             llvm::StringRef bytes) {
  constexpr size_t kMaxMultiple = 64, kAlwaysAllowed = 64 << 10;
  largestAllocation = 0;
  OwningOpRef<cuda_tile::ModuleOp> module = reading.read(bytes);
  EXPECT_GT(largestAllocation, 0u);
  EXPECT_LE(largestAllocation,
            std::max(kMaxMultiple * bytes.size(), kAlwaysAllowed))
      << llvm::toHex(bytes.take_front(400));
  return module;
}

/// The first error of the invalid file `bytes`, without its offset.
std::string errorOf(llvm::StringRef bytes) {
  Reading reading;
  EXPECT_FALSE(readWatched(reading, bytes)) << llvm::toHex(bytes);
  EXPECT_FALSE(reading.errors.empty()) << llvm::toHex(bytes);
  if (reading.errors.empty())
    return "";
  llvm::StringRef text = reading.errors.front();
  return text.starts_with("error at offset ") ? text.split(": ").second.str()
                                              : text.str();
}
std::string errorOf(const FileBuilder &file) { return errorOf(file.finish()); }

/// The first error of a file with a header and `sections`, in hexadecimal.
std::string errorOfSections(const std::string &sections) {
  return errorOf(unhex("7f54696c65495200 0d030000" + sections));
}

/// A file of the newest version with the one section `id`, and the mandatory
/// sections. The function of `unhex("01 …")` has no arguments.
FileBuilder fileWith(uint8_t id, const std::string &payload) {
  std::map<uint8_t, std::string> payloads = {
      {1, FileBuilder::table(4, {"x"})},
      {2, unhex("01 00 00 02 00 0b 00 06 00 03 5c 00 00")},
      {5, FileBuilder::table(4, {unhex("10 00 00")})}};
  payloads[id] = payload;
  FileBuilder file(/*minor=*/5);
  for (auto &[section, bytes] : payloads) {
    bool isFree = section == 6 || section == 7;
    file.section(section, isFree ? 0 : 8, bytes);
  }
  return file;
}

TEST(Hostile, WatchesTheReader) {
  Reading reading;
  EXPECT_TRUE(readWatched(reading, fileWith(6, unhex("00")).finish()))
      << reading.allErrors();
  for (const std::string &name : supportedFiles()) {
    Reading another;
    EXPECT_TRUE(readWatched(another, bytecodeOf(name))) << name;
  }
}

TEST(Hostile, CountsReserveNothing) {
  // Section and contents; @ marks the count.
  const std::pair<uint8_t, const char *> places[] = {
      {1, "@"},
      {1, "@ cbcbcb 00000000 00000000 00000000"},
      {2, "@"},
      {2, "@ 00 00 02 00 0b 00 06 00 03 5c 00 00"},
      {2, "01 00 00 02 00 0b @ 00 0a 00 06 00 03 5c 00 00"},
      {2, "01 00 00 02 00 0b 01 00 0a @ 00 05 00 06 00 03 5c 00 00"},
      {2, "01 00 00 02 00 0b 00 06 @ 0a 00 03 5c 00 00"},
      {2, "01 00 00 02 00 0b 00 06 01 0a @ 00 06 00 03 5c 00 00"},
      {2, "01 00 00 02 00 0b 00 06 00 @ 5c 00 00"},
      {3, "@ cbcbcb 00000000 00000000"},
      {3, "00 cbcbcb @ cbcbcb 00000000 00000000"},
      {3, "00 cbcbcb 00 cbcbcb @ cbcbcb 00000000 00000000"},
      {4, "@ cbcbcb cbcbcbcb 0000000000000000 00"},
      {5, "@ cbcbcb 00000000 00000000"},
      {5, "01 cbcbcb 00000000 10 @ 00 00"},
      {5, "01 cbcbcb 00000000 10 00 @ 00 00"},
      {5, "03 cbcbcb 00000000 04000000 08000000 10 01 01 00 0d 02 @ 03"},
      {5, "03 cbcbcb 00000000 04000000 08000000 10 01 01 00 0e 02 @ 03"},
      {6, "@ 00 00 00 00 00 00"},
  };
  for (const char *count :
       {"ff ff 03", "80 80 80 08", "80 80 80 80 01", "fd ff ff ff 0f",
        "ff ff ff ff 0f", "80 80 80 80 80 80 80 80 40",
        "80 80 80 80 80 80 80 80 80 01", "ff ff ff ff ff ff ff ff ff 01"})
    for (auto [id, text] : places) {
      auto [before, after] = llvm::StringRef(text).split('@');
      (void)errorOf(fileWith(id, unhex((before + count + after).str())));
    }
}

//===----------------------------------------------------------------------===//
// Container
//===----------------------------------------------------------------------===//

TEST(Hostile, Lengths) {
  for (auto [length, number] :
       {std::pair("ff ff ff ff ff ff ff ff 7f", "9223372036854775807"),
        {"80 80 80 80 80 80 80 80 80 01", "9223372036854775808"},
        {"ff ff ff ff ff ff ff ff ff 01", "18446744073709551615"},
        // Bits above the 64th are dropped.
        {"ff ff ff ff ff ff ff ff ff 7f", "18446744073709551615"}})
    for (const char *section : {"81", "82", "83", "84", "85", "06", "07"})
      EXPECT_EQ(errorOfSections(section + std::string(length) + "08 cb"),
                "section length " + std::string(number) +
                    " exceeds remaining data size 2");
  // A number without an end, and one of eleven bytes.
  for (const char *length : {"80", "80 80 80 80 80 80 80 80 80 80 01"})
    EXPECT_EQ(errorOfSections("81" + std::string(length)),
              "failed to read section length");
  // It fits before the padding, but not after it.
  EXPECT_EQ(errorOfSections("82 04 08 cb cb cb"),
            "section length 4 exceeds remaining bytecode data. 2");
}

TEST(Hostile, Alignments) {
  EXPECT_EQ(errorOfSections("81 00 00"), "invalid alignment value: 0");
  EXPECT_EQ(errorOfSections("81 00 06"), "invalid alignment value: 6");
  EXPECT_EQ(errorOfSections("81 00 ff ff ff ff ff ff ff ff ff 01"),
            "invalid alignment value: 18446744073709551615");
  // Powers of two beyond the size of the file.
  for (const char *alignment :
       {"20", "80 80 80 80 10", "80 80 80 80 80 80 80 80 80 01"})
    EXPECT_EQ(errorOfSections("81 00 " + std::string(alignment) + "cb"),
              "failed to parse section header");
  // A larger alignment than required is legal.
  FileBuilder file(/*minor=*/3);
  file.section(2, 64, unhex("00"));
  file.section(1, 32, unhex("00"));
  Reading reading;
  EXPECT_TRUE(reading.read(file.finish())) << reading.allErrors();
}

TEST(Hostile, NumbersOfManyBytes) {
  // Zero functions, in as many bytes as a number may have, and in one more.
  for (auto [zeros, isRead] : {std::pair(9, true), {10, false}}) {
    std::string count;
    for (int i = 0; i != zeros; ++i)
      count += "80";
    std::string bytes = fileWith(2, unhex(count + "00")).finish();
    if (!isRead) {
      EXPECT_EQ(errorOf(bytes), "failed to parse function section");
      continue;
    }
    Reading reading;
    EXPECT_TRUE(reading.read(bytes)) << reading.allErrors();
  }
}

TEST(Hostile, Repetition) {
  for (const char *section : {"81", "82", "83", "84", "85"})
    EXPECT_EQ(errorOfSections(section + std::string("01 08 cb 00") + section +
                              std::string("01 08 cb cbcbcbcb 00 00")),
              "duplicate section ID: " + std::string(1, section[1]));
  for (const char *section : {"06", "07"})
    EXPECT_EQ(
        errorOfSections(section + std::string("01 00") + section + "01 00 00"),
        "duplicate section ID: " + std::string(1, section[1]));
  for (unsigned id : {8u, 42u, 127u})
    for (unsigned aligned : {0u, 128u})
      EXPECT_EQ(
          errorOfSections(llvm::utohexstr(id | aligned, true, 2) + "01 00 00"),
          "unknown section ID: " + std::to_string(id));
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

TEST(Hostile, Offsets) {
  auto rangeError = [](unsigned section, const char *start, const char *end) {
    return "invalid item range in section " + std::to_string(section) +
           ": item 0 starts at " + start + " and ends at " + end;
  };
  for (uint8_t id : {1, 5}) {
    EXPECT_EQ(errorOf(fileWith(id, unhex("02 cbcbcb 04000000 00000000"
                                         "03030303 03030303"))),
              rangeError(id, "4", "0"));
    EXPECT_EQ(errorOf(fileWith(id, unhex("02 cbcbcb 00000000 ffffffff 03"))),
              rangeError(id, "0", "4294967295"));
    EXPECT_EQ(errorOf(fileWith(id, unhex("01 cbcbcb ffffff7f 03"))),
              rangeError(id, "2147483647", "1"));
  }
  std::string noLists = "00 cbcbcb 00 cbcbcb";
  EXPECT_EQ(errorOf(fileWith(
                3, unhex(noLists + "02 cbcbcb 01000000 00000000 00 00"))),
            rangeError(3, "1", "0"));
  // Lists of locations that overlap, or lie outside.
  EXPECT_EQ(errorOf(fileWith(3, unhex("02 cbcbcb 01000000 00000000 01 cbcbcb"
                                      "0000000000000000 00"))),
            rangeError(3, "1", "0"));
  EXPECT_EQ(errorOf(fileWith(3, unhex("01 cbcbcb ffffffff 00 cbcbcb cbcbcbcb"
                                      "00"))),
            rangeError(3, "4294967295", "0"));
  std::string start = "02 cbcbcbcbcbcbcb";
  EXPECT_EQ(errorOf(fileWith(4, unhex(start + "0100000000000000"
                                              "0000000000000000 00 00"))),
            "invalid constant start indices: end (0) is less than start (1) "
            "for constant 0");
  EXPECT_EQ(errorOf(fileWith(4, unhex(start + "0000000000000000"
                                              "ffffffffffffff7f 00 00"))),
            "constant 0 extends beyond available data: "
            "size=9223372036854775807, start=0, total data size=2");
}

TEST(Hostile, ConstantsKeepToTheirItem) {
  // The first of two entries extends into the second, or has no end.
  for (const char *size :
       {"05", "7f", "ff ff ff ff ff ff ff ff ff 01", "80 80 80 80 10"}) {
    FileBuilder file(/*minor=*/3);
    file.section(6, 0, unhex("01 00 01 00 00 00 00"));
    file.section(2, 8, unhex("00"));
    file.section(4, 8,
                 FileBuilder::table(8, {unhex(size + std::string("01020304")),
                                        unhex("04 05060708")}));
    file.section(5, 4, FileBuilder::table(4, {unhex("03"), unhex("0d 00 00")}));
    file.section(1, 4, FileBuilder::table(4, {"x"}));
    EXPECT_EQ(errorOf(file), "failed to read the raw byte data") << size;
  }
}

TEST(Hostile, ExtentsWithoutEnd) {
  // The product of the extents exceeds a number, or memory.
  for (const char *shape :
       {"02 0000000000000040 0400000000000000", "01 0000000000000040",
        "03 0000000001000000 0000000001000000 0100000000000000",
        "01 0000000000000080"}) {
    FileBuilder file(/*minor=*/3);
    file.global({"03", "0d 00" + std::string(shape)}, "04 00000000");
    (void)errorOf(file);
  }
}

//===----------------------------------------------------------------------===//
// Entries that contain themselves
//===----------------------------------------------------------------------===//

TEST(Hostile, TypesInCircles) {
  auto error = [](llvm::ArrayRef<std::string> types) {
    FileBuilder file(/*minor=*/3);
    file.function(types, /*signature=*/0, "5c 00 00");
    return errorOf(file);
  };
  EXPECT_EQ(error({"10 01 00 00"}), "failed to get parameter type");
  EXPECT_EQ(error({"10 01 01 00", "0c 01"}), "failed to get pointeeType type");
  EXPECT_EQ(error({"10 01 01 00", "0c 02", "0d 01 00"}),
            "failed to get elementType type");
  EXPECT_EQ(error({"10 01 01 00", "0d 02 00", "0c 03", "0d 04 00", "0c 01"}),
            "failed to get pointeeType type");
  EXPECT_EQ(error({"10 01 01 00", "0f 00 00 01 00"}),
            "failed to get tensor_view type");
  EXPECT_EQ(error({"10 01 7f 00"}), "failed to get parameter type");
}

TEST(Hostile, LocationsInCircles) {
  auto error = [](uint64_t number, llvm::ArrayRef<std::string> items) {
    FileBuilder file(/*minor=*/3);
    file.locations({number, 0}, items);
    file.function({"10 00 00"}, /*signature=*/0, "5c 00 00");
    return errorOf(file);
  };
  EXPECT_EQ(error(1, {"06 01 01"}),
            "failed to read callee attribute when parsing CallSiteLoc");
  EXPECT_EQ(error(1, {"06 00 02", "06 00 01"}),
            "failed to read caller attribute when parsing CallSiteLoc");
  EXPECT_EQ(error(1, {"04 02 00 01 01", "03 02 03 01 01", "02 00 00"}),
            "failed to read scope attribute when parsing DILexicalBlockAttr");
  EXPECT_EQ(error(1, {"01 01"}),
            "failed to read file attribute when parsing DICompileUnitAttr");
  // A missing attribute, or one of another kind.
  EXPECT_EQ(error(7, {"00"}), "failed to read function location for 'x'");
  EXPECT_EQ(error(1, {"02 00 00"}), "failed to read function location for 'x'");
}

TEST(Hostile, AttributesInAttributes) {
  // 5,000 nested arrays or dictionaries, in the places of hints and argument
  // attributes.
  std::string arrays, dictionaries;
  for (unsigned i = 0; i != 5000; ++i) {
    arrays += "06 01";
    dictionaries += "0a 01 00";
  }
  for (const std::string &attrs :
       {"0b 01 00" + arrays + "00", "0b 01 00" + dictionaries + "0a 00",
        "0b 00 06 01" + arrays, "0b 00 06 01" + dictionaries + "0a 00"}) {
    FileBuilder file(/*minor=*/5);
    file.function({"10 00 00"}, /*signature=*/0, "5c 00 00", "02", attrs);
    EXPECT_EQ(errorOf(file), "nesting too deep");
  }
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

TEST(Hostile, BodiesThatEndTooSoon) {
  // An `if` in a loop, and the `return`; cut at each byte, and with each count
  // of operations one too large.
  std::string body = unhex("10 02 00 41 00 00 01 01 00 02"
                           "32 00 00 02 01 00 01 6d 00 00 00"
                           "0a 00 00 5c 00 00");
  auto file = [](const std::string &code) {
    FileBuilder builder(/*minor=*/3);
    builder.section(
        2, 8,
        unhex("01 00 00 02 00" + FileBuilder::hexVarInt(code.size())) + code);
    builder.section(4, 8, FileBuilder::table(8, {unhex("01 ff")}));
    builder.section(5, 4,
                    FileBuilder::table(4, {unhex("10 00 00"), unhex("00"),
                                           unhex("0d 01 00")}));
    builder.section(1, 4, FileBuilder::table(4, {"x"}));
    return builder.finish();
  };
  Reading reading;
  ASSERT_TRUE(reading.read(file(body))) << reading.allErrors();
  for (size_t length = 0; length != body.size(); ++length)
    (void)errorOf(file(body.substr(0, length)));
  for (size_t count : {9u, 16u}) {
    std::string changed = body;
    ++changed[count];
    (void)errorOf(file(changed));
  }
}

//===----------------------------------------------------------------------===//
// Length of a file
//===----------------------------------------------------------------------===//

TEST(Size, IsThatOfTheFile) {
  for (const std::string &name : supportedFiles()) {
    std::string bytes = bytecodeOf(name);
    size_t size = bytes.size();
    EXPECT_EQ(getBytecodeSize((bytes + "more").data()), size) << name;
  }
  std::string empty = unhex(kEmptyModule) + "more";
  EXPECT_EQ(getBytecodeSize(empty.data()), unhex(kEmptyModule).size());
  // A future release has sections, too; their contents are not checked.
  std::string newer = unhex("7f54696c65495200 0e090000 0703ffffff 00 ff");
  EXPECT_EQ(getBytecodeSize(newer.data()), newer.size() - 1);
}

TEST(Size, IsUnknownOfOthers) {
  for (const char *bytes :
       {"00", "7f 00", "7f54696c654952 01", "4d4cef52 00",
        // Major version 0.
        "7f54696c65495200 00030000 00",
        // Unknown, repeated, an aligned end.
        "7f54696c65495200 0d030000 08 00 00",
        "7f54696c65495200 0d030000 07 00 07 00 00",
        "7f54696c65495200 0d030000 80",
        // Numbers: without an end, no power of two, beyond all memory.
        "7f54696c65495200 0d030000 07 80 80 80 80 80 80 80 80 80 80 00",
        "7f54696c65495200 0d030000 81 00 03",
        "7f54696c65495200 0d030000 81 00 00",
        "7f54696c65495200 0d030000 07 ff ff ff ff ff ff ff ff ff 01",
        "7f54696c65495200 0d030000 81 00 80 80 80 80 80 80 80 80 80 01"})
    EXPECT_EQ(getBytecodeSize(unhex(bytes).data()), std::nullopt) << bytes;
}

} // namespace
