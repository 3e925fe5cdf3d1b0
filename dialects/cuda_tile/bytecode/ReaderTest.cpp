// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/cuda_tile/bytecode/Disassembly.h"
#include "dialects/cuda_tile/bytecode/OpTable.h"
#include "dialects/cuda_tile/bytecode/TestSupport.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::bytecode_test;

namespace {

//===----------------------------------------------------------------------===//
// Goldens: text of the same modules by another tool
//===----------------------------------------------------------------------===//

/// Makes a parseable module from the disassembler's text, which has no module
/// line and puts its aliases last.
std::string moduleText(const std::string &golden, const std::string &name) {
  size_t aliases = golden.rfind("#", 0) == 0 ? 0 : golden.find("\n#");
  std::string body = golden.substr(0, aliases);
  std::string tail = aliases == std::string::npos ? "" : golden.substr(aliases);
  if (name == "logsumexp_f64") {
    // The other tool drops the sign of this producer's 65-bit numbers.
    llvm::StringRef positive = "0x7FF0000000000000 : f64";
    size_t at = body.find(positive.str());
    EXPECT_NE(at, std::string::npos);
    body.replace(at, positive.size(), "0xFFF0000000000000 : f64");
  }
  std::string attributes;
  llvm::StringRef first = llvm::StringRef(golden).split('\n').first;
  if (first.consume_front("// Producer: "))
    attributes = "attributes {producer = \"" + first.str() + "\"} ";
  return "cuda_tile.module @kernels " + attributes + "{\n" + body + "\n}\n" +
         tail + "\n";
}

/// Gives terminators that the text omits the location that they have in `from`.
void adoptImplicitLocations(cuda_tile::ModuleOp to, cuda_tile::ModuleOp from) {
  llvm::SmallVector<Operation *> targets, sources;
  to->walk([&](Operation *op) { targets.push_back(op); });
  from->walk([&](Operation *op) { sources.push_back(op); });
  ASSERT_EQ(targets.size(), sources.size());
  for (auto [target, source] : llvm::zip(targets, sources)) {
    auto loc = dyn_cast<FileLineColLoc>(target->getLoc());
    if (!loc || loc.getFilename() != "golden")
      continue;
    EXPECT_TRUE(target->hasTrait<OpTrait::IsTerminator>());
    target->setLoc(source->getLoc());
  }
}

class FileTest : public testing::TestWithParam<std::string> {};

TEST_P(FileTest, ReadsAndTextIsFixpoint) {
  Reading reading;
  OwningOpRef<cuda_tile::ModuleOp> module =
      reading.read(bytecodeOf(GetParam()));
  ASSERT_TRUE(module) << reading.allErrors();
  EXPECT_TRUE(reading.errors.empty()) << reading.allErrors();
  EXPECT_FALSE(module->getOperation()->getRegion(0).front().empty());
  for (bool debugInfo : {false, true}) {
    std::string text = print(*module, debugInfo, /*generic=*/false);
    OwningOpRef<cuda_tile::ModuleOp> parsed = reading.parse(text);
    ASSERT_TRUE(parsed) << reading.allErrors() << "\n" << text;
    EXPECT_EQ(text, print(*parsed, debugInfo, /*generic=*/false));
    std::string generic = print(*module, debugInfo, /*generic=*/true);
    OwningOpRef<cuda_tile::ModuleOp> reparsed = reading.parse(generic);
    ASSERT_TRUE(reparsed) << reading.allErrors() << "\n" << generic;
    EXPECT_EQ(generic, print(*reparsed, debugInfo, /*generic=*/true));
  }
}

TEST_P(FileTest, MeansWhatTheOtherToolPrints) {
  for (bool debugInfo : {false, true}) {
    std::string path = dataFolder() + "/text/" + GetParam() +
                       (debugInfo ? ".g.mlir" : ".mlir");
    if (debugInfo && !llvm::sys::fs::exists(path))
      continue;
    Reading reading;
    OwningOpRef<cuda_tile::ModuleOp> module =
        reading.read(bytecodeOf(GetParam()));
    ASSERT_TRUE(module) << reading.allErrors();
    OwningOpRef<cuda_tile::ModuleOp> golden =
        reading.parse(moduleText(fileBytes(path), GetParam()));
    ASSERT_TRUE(golden) << reading.allErrors();
    normalize(*module);
    normalize(*golden);
    if (debugInfo)
      adoptImplicitLocations(*golden, *module);
    EXPECT_EQ(print(*golden, debugInfo, /*generic=*/true),
              print(*module, debugInfo, /*generic=*/true));
  }
}

TEST_P(FileTest, DisassemblesLikeTheOtherTool) {
  for (bool debugInfo : {false, true}) {
    std::string path = dataFolder() + "/text/" + GetParam() +
                       (debugInfo ? ".g.mlir" : ".mlir");
    if (debugInfo && !llvm::sys::fs::exists(path))
      continue;
    std::string golden = fileBytes(path);
    if (GetParam() == "logsumexp_f64") {
      // The only token that the other tool prints wrong.
      llvm::StringRef positive = "0x7FF0000000000000 : f64";
      size_t at = golden.find(positive.str());
      ASSERT_NE(at, std::string::npos);
      golden.replace(at, positive.size(), "0xFFF0000000000000 : f64");
    }
    Reading reading;
    OwningOpRef<cuda_tile::ModuleOp> module =
        reading.read(bytecodeOf(GetParam()));
    ASSERT_TRUE(module) << reading.allErrors();
    std::string text;
    llvm::raw_string_ostream stream(text);
    printDisassembly(*module, debugInfo, stream);
    EXPECT_EQ(golden, text);
  }
}

INSTANTIATE_TEST_SUITE_P(, FileTest, testing::ValuesIn(supportedFiles()),
                         [](const auto &info) { return testName(info.param); });

TEST(Files, AreComplete) { EXPECT_EQ(supportedFiles().size(), 122u); }

//===----------------------------------------------------------------------===//
// The table of operations
//===----------------------------------------------------------------------===//

TEST(OpTable, MatchesTheDialect) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<cuda_tile::CudaTileDialect>();
  uint32_t previous = 0;
  for (const OpRecord &record : opRecords()) {
    EXPECT_TRUE(record.opcode == 0 || record.opcode > previous);
    previous = record.opcode;
    EXPECT_EQ(findOpRecord(record.opcode), &record);
    auto name = RegisteredOperationName::lookup(
        ("cuda_tile." + llvm::Twine(record.name)).str(), &context);
    ASSERT_TRUE(name) << record.name;
    EXPECT_EQ(record.hasSegments,
              name->hasTrait<OpTrait::AttrSizedOperandSegments>())
        << record.name;
    for (const AttrField &field : record.attrFields())
      EXPECT_TRUE(
          llvm::any_of(name->getAttributeNames(),
                       [&](StringAttr known) { return known == field.name; }))
          << record.name << "." << field.name;
    size_t encoded = record.attrFields().size() + record.hasSegments;
    EXPECT_EQ(encoded, name->getAttributeNames().size()) << record.name;
  }
}

TEST(OpTable, FindsNothingElse) {
  for (uint32_t opcode : {0x16u, 0x19u, 0x24u, 0x31u, 0x34u, 0x39u, 0x4Bu,
                          0x7Eu, 0x3001u, 0x4000u, 0xFFFFFFFFu})
    EXPECT_EQ(findOpRecord(opcode), nullptr) << opcode;
}

//===----------------------------------------------------------------------===//
// Worked examples
//===----------------------------------------------------------------------===//

TEST(Examples, EmptyModule) {
  Reading reading;
  OwningOpRef<cuda_tile::ModuleOp> module = reading.read(unhex(kEmptyModule));
  ASSERT_TRUE(module) << reading.allErrors();
  EXPECT_EQ(print(*module, false, false), "cuda_tile.module @kernels {\n}\n");
}

TEST(Examples, CompleteModule) {
  Reading reading;
  ASSERT_EQ(example().size(), 299u);
  OwningOpRef<cuda_tile::ModuleOp> module = reading.read(example());
  ASSERT_TRUE(module) << reading.allErrors();
  OwningOpRef<cuda_tile::ModuleOp> expected = reading.parse(R"(
cuda_tile.module @kernels attributes {producer = "demo 1.0"} {
  global private constant @tbl <f32: [1.0, 2.0]> : tile<2xf32>
  entry @axpy1(%p: tile<ptr<f32>>, %n: tile<i32>) optimization_hints=<sm_90 = {occupancy = 2 : i32}> {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %r = for %i in (%c0 to %n, step %c1) : tile<i32> iter_values(%a = %x) -> (tile<i32>) {
      %s = addi %a, %i overflow<no_signed_wrap> : tile<i32>
      continue %s : tile<i32>
    }
    %q = offset %p, %r : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %v, %t = load_ptr_tko weak %q : tile<ptr<f32>> -> tile<f32>, token
    %w = addf %v, %v rounding<nearest_even> flush_to_zero : tile<f32>
    %u = store_ptr_tko weak %q, %w token=%t : tile<ptr<f32>>, tile<f32> -> token
    return
  }
})");
  ASSERT_TRUE(expected) << reading.allErrors();
  normalize(*module);
  normalize(*expected);
  EXPECT_EQ(print(*expected, false, true), print(*module, false, true));
}

//===----------------------------------------------------------------------===//
// Bad input
//===----------------------------------------------------------------------===//

TEST(BadInput, EveryTruncationIsAnError) {
  for (const std::string &bytes :
       {bytecodeOf("add_vec_f32.v13_3"), example(), unhex(kEmptyModule)}) {
    Reading reading;
    for (size_t length = 0; length != bytes.size(); ++length) {
      EXPECT_FALSE(reading.read(llvm::StringRef(bytes).take_front(length)))
          << length;
      EXPECT_FALSE(reading.errors.empty()) << length;
    }
  }
}

TEST(BadInput, TruncatedFilesAreErrors) {
  for (const std::string &name : supportedFiles()) {
    std::string bytes = bytecodeOf(name);
    Reading reading;
    for (size_t length = bytes.size() % 97; length < bytes.size();
         length += 97) {
      EXPECT_FALSE(reading.read(llvm::StringRef(bytes).take_front(length)));
      EXPECT_FALSE(reading.errors.empty()) << name << " " << length;
    }
  }
}

TEST(BadInput, ChangedBytesNeverCrash) {
  for (const std::string &original :
       {bytecodeOf("add_vec_f32.v13_3"), bytecodeOf("prefix_sum_i32"),
        bytecodeOf("collatz_i32"), example()}) {
    // One context: its creation takes longer than a read.
    Reading reading;
    for (size_t i = 0; i != original.size(); ++i)
      for (uint8_t change : {0x01, 0x80, 0xFF}) {
        std::string bytes = original;
        bytes[i] ^= change;
        OwningOpRef<cuda_tile::ModuleOp> module = reading.read(bytes);
        EXPECT_EQ(bool(module), reading.errors.empty()) << i;
      }
  }
}

TEST(BadInput, Container) {
  expectError(changed(0, "7e"),
              "invalid magic number at position 0, got 126 expected 127");
  expectError("", "invalid magic number at position 0, got 0 expected 127");
  expectError(changed(8, "12 00"),
              "unsupported Tile version 18.0.0, this reader supports versions "
              "[13.1 - 13.5]");
  expectError(changed(9, "06"),
              "unsupported Tile version 13.6.0, this reader supports versions "
              "[13.1 - 13.5]");
  expectError(changed(10, "06"),
              "header has unrecognized version tag bits (0x6);");
  expectError(changed(10, "01"),
              "public-preview bytecode at version 13.3.1 is not readable; "
              "preview content is only valid at the current version 13.5");
  expectError(changed(12, "7f"), "unknown section ID: 127");
  expectError(changed(12, "00"), "end section is not the last section");
  expectError(changed(12, "80"),
              "end section should not have alignment flag set");
  expectError(changed(13, "ff7f"),
              "section length 16383 exceeds remaining data size 284");
  expectError(changed(0x17, "03"), "invalid alignment value: 3");
  expectError(changed(0x17, "04"), "section 2 must have alignment that is a "
                                   "multiple of 8 bytes, but has alignment "
                                   "of 4");
  expectError(changed(0x15, "02"), "section 2 must have alignment that is a "
                                   "multiple of 8 bytes, but has no alignment "
                                   "flag set");
  expectError(example().substr(0, 298),
              "unexpected end of data while reading section header");
  expectError(example() + llvm::fromHex("00"),
              "end section is not the last section");
  expectError(unhex("7f54696c65495200 0d030000 00"),
              "string section is mandatory");
  expectError(unhex("7f54696c65495200 0d030000 810404cb 00cbcbcb 00"),
              "function section is mandatory");
  expectError(unhex("7f54696c65495200 0d030000 810404cb 00cbcbcb "
                    "810404cb 00cbcbcb 00"),
              "duplicate section ID: 1");
}

TEST(BadInput, Tables) {
  expectError(changed(0xf4, "20"),
              "number of strings (32) exceeds the maximum of 13 that can fit "
              "in the remaining payload of 53 bytes.");
  expectError(changed(0xfc, "ff"),
              "invalid item range in section 1: item 0 starts at 0 and ends at "
              "255");
  expectError(changed(0x88, "05"),
              "invalid constant start indices: end (5) is less than start (9) "
              "for constant 1");
  expectError(changed(0x80, "ff"),
              "constant 0 extends beyond available data: size=255, start=0, "
              "total data size=19");
  // f32 becomes an unassigned tag; pointer refers to itself.
  expectError(changed(0xd0, "63"), "unknown type tag: 99");
  expectError(changed(0xd2, "01"), "failed to get pointeeType type");
  // tile<2xf32> with three elements, and with a negative extent.
  expectError(changed(0xe2, "03"),
              "all dimensions must be powers of two, got 3");
  Reading reading;
  EXPECT_FALSE(reading.read(changed(0xe9, "ff")));
}

TEST(BadInput, Versions) {
  // tile<2xf4E2M1FN> in a file that is too old for it.
  FileBuilder file(/*minor=*/1);
  file.global({"13", "0d 00 01 0200000000000000"}, "01 00");
  expectError(file.finish(), "type 'Float4E2M1FN' requires bytecode version "
                             "13.3+, file version is 13.1");
  FileBuilder newer(/*minor=*/3);
  newer.global({"13", "0d 00 01 0200000000000000"}, "01 00");
  Reading reading;
  EXPECT_TRUE(reading.read(newer.finish())) << reading.allErrors();
}

TEST(Functions, OldPrintTakesNoValueNumber) {
  // Three values, a print without a token, three values, the addition of the
  // latter.
  for (bool old : {true, false}) {
    FileBuilder file(/*minor=*/old ? 1 : 2);
    std::string print = old ? "55 00 00 00" : "55 01 03 00 00 00";
    std::string sum = old ? "03 01 00 03 05" : "03 01 00 04 06";
    file.function({"03", "0d 00 00", "10 00 00", "11"}, /*signature=*/2,
                  "30 01 01 01" + print + "2e 01 01 01" + sum + "5c 00 00");
    Reading reading;
    OwningOpRef<cuda_tile::ModuleOp> module = reading.read(file.finish());
    ASSERT_TRUE(module) << reading.allErrors();
    std::string text = bytecode_test::print(*module, false, true);
    EXPECT_NE(text.find("\"cuda_tile.print_tko\"()"), std::string::npos)
        << text;
    EXPECT_NE(text.find("(%2#0, %2#2)"), std::string::npos) << text;
  }
}

TEST(Functions, YoungerAttributesHaveTheirDefault) {
  FileBuilder file(/*minor=*/1);
  file.function({"07", "0d 00 00", "10 01 01 00", "03", "0d 03 00"},
                /*signature=*/2,
                "6a 01 00 17 01 00 30 04 04 04 50 04 03 5c 00 00");
  Reading reading;
  OwningOpRef<cuda_tile::ModuleOp> module = reading.read(file.finish());
  ASSERT_TRUE(module) << reading.allErrors();
  std::string text = print(*module, false, true);
  llvm::StringRef rest = text;
  EXPECT_EQ(rest.count("#cuda_tile.rounding<full>"), 2u) << text;
  EXPECT_EQ(rest.count("#cuda_tile.overflow<none>"), 1u) << text;
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// The text of a global whose element type has tag `element`.
std::string globalText(const std::string &element, const std::string &count,
                       const std::string &constant) {
  FileBuilder file(/*minor=*/3);
  file.global({element, "0d 00 01" + count + "00000000000000"}, constant);
  Reading reading;
  OwningOpRef<cuda_tile::ModuleOp> module = reading.read(file.finish());
  if (!module)
    return reading.errors.front();
  std::string text = print(*module, false, false);
  return llvm::StringRef(text).split('<').second.split('>').first.str();
}

TEST(Constants, Bools) {
  std::string mixed = "i1: [true, false, true, true, false, false, true, false";
  EXPECT_EQ(globalText("00", "08", "01 4d"), mixed + "]");
  EXPECT_EQ(globalText("00", "08", "08 0100010100000100"), mixed + "]");
  EXPECT_EQ(globalText("00", "10", "02 4d 4d"),
            mixed + ", true, false, true, true, false, false, true, false]");
  EXPECT_EQ(globalText("00", "08", "01 ff"), "i1: true");
  EXPECT_EQ(globalText("00", "10", "01 00"), "i1: false");
  EXPECT_EQ(globalText("00", "10", "01 01"), "i1: true");
  EXPECT_EQ(globalText("00", "01", "01 01"), "i1: true");
  EXPECT_EQ(globalText("00", "10", "01 02"), "i1: false");
  EXPECT_EQ(globalText("00", "10", "01 7d"), "i1: true");
  std::string bad = "failed to validate buffer size and format";
  for (const char *constant : {"00", "03 000000", "08 0200000000000000"})
    EXPECT_NE(globalText("00", "10", constant).find(bad), std::string::npos);
}

TEST(Constants, Numbers) {
  EXPECT_EQ(globalText("02", "02", "04 01 00 ff ff"), "i16: [1, -1]");
  EXPECT_EQ(globalText("02", "02", "02 07 00"), "i16: 7");
  EXPECT_EQ(globalText("07", "02", "04 0000803f"), "f32: 1.000000e+00");
  // tf32 has 19 bits: 1.0 is 0x1FC00.
  EXPECT_EQ(globalText("08", "02", "06 00fc01 00fc05"),
            "tf32: [1.000000e+00, -1.000000e+00]");
  std::string bad = "failed to validate buffer size and format";
  EXPECT_NE(globalText("08", "02", "03 00fc09").find(bad), std::string::npos);
  EXPECT_NE(globalText("13", "02", "01 10").find(bad), std::string::npos);
  EXPECT_NE(globalText("02", "02", "03 000000").find(bad), std::string::npos);
  EXPECT_NE(globalText("03", "02", "04 0000")
                .find("failed to read the raw byte data"),
            std::string::npos);
}

TEST(BadInput, Functions) {
  expectError(changed(0x19, "07"), "string index 7 out of bounds");
  expectError(changed(0x1a, "09"), "function signature index 9 out of bounds "
                                   "for function 'axpy1'");
  expectError(changed(0x1a, "04"),
              "function signature index 4 does not refer to a function type "
              "for function 'axpy1', got type: '!cuda_tile.tile<i32>'");
  expectError(changed(0x1b, "04"), "un-expected non-entry function 'axpy1'");
  expectError(changed(0x1b, "07"), "'cuda_tile.entry' op entry op must have "
                                   "public symbol visibility");
  expectError(changed(0x1d, "0a"), "invalid optimization hints attribute for "
                                   "function 'axpy1'");
  expectError(changed(0x26, "7f"), "function body length 127 exceeds remaining "
                                   "bytecode data (65 bytes)");
  expectError(changed(0x26, "3b"), "failed to read operand count");
  Reading reading;
  EXPECT_FALSE(reading.read(changed(0x26, "39")));
  EXPECT_EQ(reading.errors.front().rfind("block with no terminator, has ", 0),
            0u)
      << reading.errors.front();
}

TEST(BadInput, Operations) {
  expectError(changed(0x27, "76"),
              "unsupported opcode 118 for bytecode version 13.3");
  expectError(changed(0x27, "19"), "unknown or unimplemented opcode: 25");
  expectError(changed(0x27, "16"), "unknown or unimplemented opcode: 22");
  expectError(changed(0x28, "7f"),
              "failed to get result type 0 for GetTileBlockIdOp");
  expectError(changed(0x34, "02"), "malformed bytecode: unknown flag bits in "
                                   "operation 'cuda_tile.for'");
  expectError(changed(0x36, "7f"),
              "operand index 127 out of bounds (size=7) for operand 0");
  expectError(changed(0x3a, "02"),
              "cuda_tile.for op expected 1 regions, got 2");
  expectError(changed(0x42, "09"), "invalid integer value for enum type: 9");
  expectError(changed(0x4c, "09"),
              "operand index 9 out of bounds (size=8) for operand 1");
  expectError(changed(0x13, "02"), "invalid symbol visibility value: 2");
}

/// `count` nested loops.
std::string nestedLoops(unsigned count) {
  std::string open = "41 00 00 01 01 00 02", body;
  for (unsigned i = 0; i != count; ++i)
    body += open;
  body += "0a 00 00";
  // The innermost block has one operation less.
  body.replace(body.rfind("02 0a") == std::string::npos ? body.rfind("020a")
                                                        : body.rfind("02 0a"),
               2, "01");
  for (unsigned i = 1; i < count; ++i)
    body += "11 00 00";
  return body + "5c 00 00";
}

TEST(BadInput, Nesting) {
  for (unsigned depth : {1u, 2000u, 2001u, 5000u}) {
    FileBuilder file(/*minor=*/1);
    file.function({"10 00 00"}, /*signature=*/0, nestedLoops(depth));
    if (depth > 2000) {
      expectError(file.finish(), "nesting too deep");
      continue;
    }
    Reading reading;
    EXPECT_TRUE(reading.read(file.finish())) << reading.allErrors();
  }
  // An assume predicate that is an array of an array of …
  std::string arrays;
  for (unsigned i = 0; i != 5000; ++i)
    arrays += "06 01";
  FileBuilder file(/*minor=*/1);
  file.function({"03", "0d 00 00", "10 01 01 00"}, /*signature=*/2,
                "06 01" + arrays + "04 00 5c 00 00");
  expectError(file.finish(), "nesting too deep");
}

/// The debug attributes of a function: 4 is its location, 5 and the following
/// are call sites, each of the previous one and of 4 or itself.
std::vector<std::string> callSites(unsigned count, bool isDag) {
  std::vector<std::string> items = {"02 00 00", "01 01", "05 01 01 00 00 02 01",
                                    "04 03 00 01 01"};
  for (unsigned i = 0; i != count; ++i) {
    std::string last = FileBuilder::hexVarInt(4 + i);
    items.push_back("06" + last + (isDag ? last : "04"));
  }
  return items;
}

TEST(BadInput, NestingOfLocations) {
  // A location has four levels: scope, compile unit and file are below it.
  for (auto [count, isDeep] :
       {std::pair(252u, false), {253u, true}, {100000u, true}}) {
    // From the outside: each level waits for the next one.
    FileBuilder file(/*minor=*/1);
    file.locations({4, 4 + count}, callSites(count, /*isDag=*/false));
    file.function({"10 00 00"}, /*signature=*/0, "5c 00 00");
    Reading reading;
    EXPECT_EQ(bool(reading.read(file.finish())), !isDeep) << count;
    if (isDeep)
      EXPECT_EQ(reading.errors.front(), "nesting too deep");
    else
      EXPECT_TRUE(reading.errors.empty()) << reading.allErrors();
  }
  // From the inside: the levels below are known already.
  constexpr unsigned kOps = 300;
  std::vector<uint64_t> numbers = {4};
  std::string body;
  for (unsigned i = 1; i != kOps; ++i) {
    numbers.push_back(4 + i);
    body += "44 01";
  }
  numbers.push_back(4 + kOps);
  FileBuilder file(/*minor=*/1);
  file.locations(numbers, callSites(kOps, /*isDag=*/false));
  file.function({"10 00 00", "11"}, /*signature=*/0, body + "5c 00 00");
  expectError(file.finish(), "nesting too deep");
  // Thirty levels, but a thousand million call sites when written out.
  FileBuilder dag(/*minor=*/1);
  dag.locations({4, 34}, callSites(30, /*isDag=*/true));
  dag.function({"10 00 00"}, /*signature=*/0, "5c 00 00");
  expectError(dag.finish(), "nesting too deep");
}

TEST(BadInput, NestingOfTypes) {
  // A tile of a tile of a tile …, from the outside and the inside.
  for (bool fromOutside : {true, false}) {
    std::vector<std::string> types = {
        "10 01 01" + FileBuilder::hexVarInt(fromOutside ? 1 : 100000)};
    for (unsigned i = 1; i != 100001; ++i)
      types.push_back("0d" +
                      FileBuilder::hexVarInt(fromOutside ? i + 1 : i - 1));
    types.push_back("03");
    FileBuilder file(/*minor=*/1);
    file.function(types, /*signature=*/0, "5c 00 00");
    Reading reading;
    EXPECT_FALSE(reading.read(file.finish()));
    EXPECT_FALSE(reading.errors.empty());
  }
}

TEST(BadInput, HugeCounts) {
  // Each count of a body: the largest number, and one that is just too large.
  for (const char *count : {"ff ff ff ff ff ff ff ff ff 01", "ff ff ff ff 0f",
                            "fd ff ff ff 0f", "ff ff 03"})
    for (const char *before :
         {"5c", "5c 00", "0a 00", "41", "41 00", "41 00 00", "41 00 00 01",
          "41 00 00 01 01", "41 00 00 01 01 00", "55 01 00 01", "29 00 00"}) {
      FileBuilder file(/*minor=*/2);
      file.function({"10 00 00", "11"}, /*signature=*/0,
                    std::string(before) + count + "00 00");
      Reading reading;
      EXPECT_FALSE(reading.read(file.finish())) << before << " " << count;
      EXPECT_FALSE(reading.errors.empty());
    }
}

} // namespace
