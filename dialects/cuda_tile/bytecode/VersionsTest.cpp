// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Format changes of 13.4 and 13.5, and the versions for tests.

#include "dialects/cuda_tile/bytecode/TestSupport.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::bytecode_test;

namespace {

constexpr const char *kReturn = "5c 00 00";

/// A function without arguments.
const std::vector<std::string> kNoArguments = {"10 00 00"};
/// A function with one argument, a rank-0 tile of the element type `element`.
std::vector<std::string> oneArgument(const std::string &element) {
  return {"10 01 01 00", "0d 02 00", element, "07"};
}

/// The errors of a file, without offsets.
std::vector<std::string> errorsOf(const FileBuilder &file) {
  Reading reading;
  EXPECT_FALSE(reading.read(file.finish()));
  for (std::string &error : reading.errors) {
    llvm::StringRef text = error;
    if (text.consume_front("error at offset "))
      error = text.split(": ").second.str();
  }
  return reading.errors;
}

/// Returns the disassembly of the file, without the line of the module.
std::string contentsOf(const FileBuilder &file) {
  Reading reading;
  OwningOpRef<cuda_tile::ModuleOp> module = reading.read(file.finish());
  return module ? print(*module, false, false) : reading.allErrors();
}

TEST(Versions, Names) {
  BytecodeVersion version;
  std::string error;
  for (const char *text : {"13.1", "13.2", "13.3", "13.4", "13.5", "13.5.0"})
    EXPECT_TRUE(parseBytecodeVersion(text, version, error)) << text;
  EXPECT_EQ(version.str(), "13.5");
  EXPECT_FALSE(parseBytecodeVersion("13.6", version, error));
  EXPECT_EQ(error, "Invalid argument '13.6': the supported versions are [13.1 "
                   "- 13.5]");
  EXPECT_FALSE(parseBytecodeVersion("13.5.1", version, error));
  for (const char *text :
       {"", "13", "13.", ".3", "13.x", "13.3.", "13.3.0.1", "-1.3", "13.300"}) {
    EXPECT_FALSE(parseBytecodeVersion(text, version, error)) << text;
    EXPECT_EQ(error, "Invalid argument '" + std::string(text) + "'");
  }
  EXPECT_EQ(BytecodeVersion({13, 5, 1}).str(), "13.5.1");
  EXPECT_EQ(newestBytecodeVersion().str(), "13.5");
}

TEST(Versions, Tags) {
  auto withTag = [](uint8_t minor, uint8_t low, uint8_t high) {
    FileBuilder file(minor);
    file.function(kNoArguments, 0, kReturn);
    std::string bytes = file.finish();
    bytes[10] = static_cast<char>(low);
    bytes[11] = static_cast<char>(high);
    Reading reading;
    EXPECT_FALSE(reading.read(bytes));
    return reading.errors;
  };
  using Errors = std::vector<std::string>;
  EXPECT_EQ(withTag(5, 1, 0),
            Errors({"error at offset 12: public-preview bytecode requires at "
                    "least one enabled preview feature"}));
  EXPECT_EQ(withTag(4, 1, 0),
            Errors({"error at offset 12: public-preview bytecode at version "
                    "13.4.1 is not readable; preview content is only valid at "
                    "the current version 13.5"}));
  for (auto [low, high, bits] :
       {std::tuple(2, 0, "0x2"), std::tuple(3, 0, "0x2"),
        std::tuple(0, 1, "0x100")})
    EXPECT_EQ(withTag(5, low, high),
              Errors({"error at offset 12: header has unrecognized version tag "
                      "bits (" +
                          std::string(bits) + ");",
                      "error at offset 12: failed to parse bytecode header"}));
}

TEST(Functions, FlagsOfTheVersion) {
  auto errorOf = [](uint8_t minor, const std::string &flags) {
    FileBuilder file(minor);
    file.function(kNoArguments, 0, kReturn, flags);
    return errorsOf(file).front();
  };
  EXPECT_EQ(errorOf(4, "0a"),
            "function entry has unrecognized flag bits (0x8);");
  EXPECT_EQ(errorOf(4, "f2"),
            "function entry has unrecognized flag bits (0xF0);");
  EXPECT_EQ(errorOf(5, "12"),
            "function entry has unrecognized flag bits (0x10);");
  EXPECT_EQ(errorOf(5, "0e"), "function entry has reserved form value");
  EXPECT_EQ(errorOf(5, "0a"),
            "function entry has testing form in non-test build");
  EXPECT_EQ(errorOf(5, "06"),
            "function entry cannot be both kernel and extern impl");
  EXPECT_EQ(errorOf(4, "00"),
            "uses preview feature 'simt', which is not enabled");
  EXPECT_EQ(errorOf(3, "00"), "un-expected non-entry function 'x'");
  EXPECT_EQ(errorOf(4, "03"),
            "'cuda_tile.entry' op entry op must have public symbol visibility");
  // Older readers ignored these bits.
  FileBuilder old(/*minor=*/3);
  old.function(kNoArguments, 0, kReturn, "f2");
  EXPECT_EQ(contentsOf(old), "cuda_tile.module @kernels {\n  entry @x() {\n    "
                             "return\n  }\n}\n");
}

TEST(Functions, ArgumentAttributes) {
  auto file = [](llvm::StringRef attrs,
                 llvm::ArrayRef<std::string> types = kNoArguments) {
    FileBuilder builder(/*minor=*/5, {"x", "x.y", "xy"});
    builder.function(types, 0, kReturn, "02", attrs.str());
    return builder;
  };
  auto first = [&](llvm::StringRef attrs) {
    return errorsOf(file(attrs, oneArgument("03"))).front();
  };
  // Other attributes than arrays: the other tool crashes on some of them.
  std::string invalid = "invalid argument attributes for function 'x'";
  EXPECT_EQ(first("0b 00 05 00"), invalid);
  EXPECT_EQ(first("0b 00 0a 00"), invalid);
  EXPECT_EQ(first("0b 00 03 01"), invalid);
  EXPECT_EQ(first("0b 00 06 7f"), "failed to read size for ArrayAttr.");
  EXPECT_EQ(first("0b 00"), invalid); // the length of the body is tag 3
  EXPECT_EQ(first("0b 00 06 01 05 00"),
            "'cuda_tile.entry' op attribute 'arg_attrs' failed to satisfy "
            "constraint: Array of dictionary attributes");
  EXPECT_EQ(first("0b 00 06 02 0a 01 01 05 00 0a 00"),
            "'cuda_tile.entry' op expects argument attribute array to have the "
            "same number of elements as the number of function arguments, got "
            "2, but expected 1");
  EXPECT_EQ(first("0b 00 06 01 0a 01 02 05 00"),
            "'cuda_tile.entry' op arguments may only have dialect attributes");
  EXPECT_EQ(first("06 00 06 00"),
            "invalid optimization hints attribute for function 'x'");
  // Empty dictionaries have no effect, in any number.
  for (const char *attrs : {"0b 00 06 00", "0b 00 06 02 0a 00 0a 00"})
    EXPECT_EQ(contentsOf(file(attrs)), "cuda_tile.module @kernels {\n  entry "
                                       "@x() {\n    return\n  }\n}\n");
  EXPECT_EQ(contentsOf(file("0b 00 06 01 0a 01 01 05 01", oneArgument("03"))),
            "cuda_tile.module @kernels {\n  entry @x(%arg0: tile<i32> {x.y = "
            "\"x.y\"}) {\n    return\n  }\n}\n");
}

TEST(Functions, Arguments) {
  FileBuilder file(/*minor=*/3);
  file.function({"10 01 01 00", "11"}, 0, kReturn);
  EXPECT_EQ(errorsOf(file),
            std::vector<std::string>(
                {"unsupported type in bytecode for entry argument #0: "
                 "'!cuda_tile.token'; expected a rank-0 !cuda_tile.tile type",
                 "deserialized module does not conform to bytecode format "
                 "invariants"}));
}

TEST(Types, YoungerOnes) {
  auto errorOf = [](uint8_t minor, const std::string &element) {
    FileBuilder file(minor);
    file.function(oneArgument(element), 0, kReturn);
    return errorsOf(file).front();
  };
  EXPECT_EQ(errorOf(3, "82 01"), "type 'FloatNV8E5M3FNU' requires bytecode "
                                 "version 13.4+, file version is 13.3");
  EXPECT_EQ(errorOf(4, "0c 02 03"),
            "unused bits set in optional parameter flags");
  EXPECT_EQ(errorOf(4, "0c 01 03 02"),
            "enum value 2 is not available in bytecode version 13.4");
  EXPECT_EQ(errorOf(5, "0c 01 03 05"),
            "invalid integer value for enum type: 5");
  for (uint8_t minor : {3, 5})
    EXPECT_EQ(errorOf(minor, "d2 01"),
              "malformed bytecode: encountered public-preview type tag 210 but "
              "the header does not advertise preview content");
  EXPECT_EQ(errorOf(5, "c8 01 03"), "unknown type tag: 200");
  for (auto [minor, element, text] :
       {std::tuple(4, "82 01", "fnv8E5M3FNU"),
        std::tuple(3, "0c 03", "ptr<f32>"),
        std::tuple(4, "0c 00 03", "ptr<f32>"),
        std::tuple(4, "0c 01 03 00", "ptr<f32, <none>>"),
        std::tuple(5, "0c 01 03 02", "ptr<f32, <multicast>>")}) {
    FileBuilder file(minor);
    file.function(oneArgument(element), 0, kReturn);
    EXPECT_EQ(contentsOf(file), "cuda_tile.module @kernels {\n  entry "
                                "@x(%arg0: tile<" +
                                    std::string(text) +
                                    ">) {\n    return\n  }\n}\n");
  }
}

TEST(Attributes, YoungerOnes) {
  auto errorsIn = [](uint8_t minor, const std::string &body,
                     const std::string &element = "03") {
    FileBuilder file(minor);
    file.function(oneArgument(element), 0, body + kReturn);
    return errorsOf(file);
  };
  // addf with rounding mode 7, and with one that does not exist.
  std::vector<std::string> errors = errorsIn(3, "02 01 00 07 00 00", "07");
  EXPECT_EQ(errors[0],
            "enum value 7 is not available in bytecode version 13.3");
  EXPECT_EQ(errors[1], "failed to parse attribute 'rounding_mode'");
  EXPECT_EQ(errorsIn(4, "02 01 00 07 00 00", "07").front(),
            "'cuda_tile.addf' op invalid rounding mode specified, expect one "
            "of [nearest_even, zero, negative_inf, positive_inf]");
  EXPECT_EQ(errorsIn(4, "02 01 00 09 00 00", "07").front(),
            "invalid integer value for enum type: 9");
  // assume, with a predicate that is none.
  EXPECT_EQ(errorsIn(4, "06 01 0d 01 00").front(),
            "attribute 'MultimemReductionKindAttr' requires bytecode version "
            "13.5+, targeting 13.4");
  EXPECT_EQ(errorsIn(5, "06 01 0d 01 00").front(),
            "failed to cast parsed attribute to AssumePredicateAttrInterface");
  EXPECT_EQ(errorsIn(5, "06 01 d2 01 00").front(),
            "malformed bytecode: encountered public-preview attribute tag 210 "
            "but the header does not advertise preview content");
  EXPECT_EQ(errorsIn(5, "06 01 0e 01 00").front(),
            "unsupported AttributeTag 14 for self-contained attribute");
}

TEST(Operations, YoungerOnes) {
  auto errorOf = [](uint8_t minor, const std::string &body) {
    FileBuilder file(minor);
    file.function({"10 00 00", "11"}, 0, body + kReturn);
    return errorsOf(file).front();
  };
  EXPECT_EQ(errorOf(3, "78 01 00"),
            "unsupported opcode 120 for bytecode version 13.3");
  EXPECT_EQ(errorOf(4, "7d"),
            "unsupported opcode 125 for bytecode version 13.4");
  EXPECT_EQ(errorOf(4, "80 80 01"),
            "unsupported opcode 16384 for bytecode version 13.4");
  EXPECT_EQ(errorOf(5, "80 80 01"),
            "malformed bytecode: encountered public-preview opcode 16384 but "
            "the header does not advertise preview content");
  EXPECT_EQ(errorOf(4, "44 01 44 01 78 01 02 00 01"),
            "'cuda_tile.gdc_wait_tko' op operand group starting at #0 requires "
            "0 or 1 element, but found 2");
  FileBuilder file(/*minor=*/4);
  file.function({"10 00 00", "11"}, 0,
                std::string("78 01 00 77 01 01 00 7a 01 01") + kReturn);
  std::string text = contentsOf(file);
  for (const char *line :
       {"%0 = gdc_wait_tko -> token\n",
        "%1 = gdc_launch_dependents_tko token = %0 -> token\n",
        "%2 = memory_fence_alias_tko %1\n"})
    EXPECT_NE(text.find(line), std::string::npos) << text;
}

TEST(Operations, InboundsOfAnyLength) {
  // Function (tile<ptr<f32>>, tile<i32>), a view of 64 elements in tiles of 8.
  auto file = [](llvm::StringRef inbounds) {
    FileBuilder builder(/*minor=*/4);
    builder.function({"10 02 02 06 00", "07", "0d 03 00", "0c 00 01",
                      "0e 00 01 01 4000000000000000 01 0100000000000000", "03",
                      "0d 05 00", "0f 00 01 08000000 04 01 00000000",
                      "0d 01 01 0800000000000000", "11"},
                     0,
                     ("43 01 04 00 00 00 42 07 02 3e 02 08 09 00 00" +
                      inbounds + "03 01 01" + kReturn)
                         .str());
    return builder;
  };
  EXPECT_NE(contentsOf(file("01 01")).find("%pview[%arg1] inbounds = [true] :"),
            std::string::npos)
      << contentsOf(file("01 01"));
  EXPECT_NE(contentsOf(file("01 00")).find("%pview[%arg1] :"),
            std::string::npos)
      << contentsOf(file("01 00"));
  for (const char *inbounds : {"00", "02 00 00", "02 00 01"})
    EXPECT_EQ(errorsOf(file(inbounds)).front(),
              "'cuda_tile.load_view_tko' op inbounds size (" +
                  std::string(inbounds, 2).substr(1) +
                  ") must match the number of index dimensions (1)");
  EXPECT_EQ(errorsOf(file("7f")).front(),
            "failed to read DenseBoolArrayAttr values.");
}

TEST(DebugInfo, SubprogramFlags) {
  // The subprogram of a file ends with its flags: flags other than the first
  // are rejected.
  std::string bytes = bytecodeOf("add_vec_f32.v13_5");
  Reading reading;
  ASSERT_TRUE(reading.read(bytes)) << reading.allErrors();
  std::string changed = bytes;
  // Tag, file 1, line 4, name, linkage name, unit, scope line 4, flags.
  size_t at = std::string::npos;
  for (size_t i = 0; i + 8 < bytes.size() && at == std::string::npos; ++i)
    if (bytes[i] == 5 && bytes[i + 1] == 1 && bytes[i + 2] == 4 &&
        bytes[i + 6] == 4 && bytes[i + 7] == 0 && bytes[i + 8] == 4)
      at = i + 7;
  ASSERT_NE(at, std::string::npos);
  changed[at] = 1;
  OwningOpRef<cuda_tile::ModuleOp> module = reading.read(changed);
  ASSERT_TRUE(module) << reading.allErrors();
  EXPECT_NE(print(*module, true, false)
                .find("scopeLine = 4, flags = "
                      "declaration>"),
            std::string::npos);
  changed[at] = 6;
  EXPECT_FALSE(reading.read(changed));
  EXPECT_NE(reading.errors.front().find(
                "unrecognized flag bits (0x6) when parsing DISubprogramAttr"),
            std::string::npos)
      << reading.errors.front();
}

TEST(TestingVersions, AreOffByDefault) {
  // Must remain the last test of the file: it enables versions for the whole
  // process.
  Reading reading;
  FileBuilder file(/*minor=*/5);
  file.function(kNoArguments, 0, kReturn);
  std::string bytes = file.finish();
  bytes[8] = static_cast<char>(250);
  bytes[9] = 0;
  EXPECT_FALSE(reading.read(bytes));
  EXPECT_EQ(reading.errors.front(),
            "error at offset 12: unsupported Tile version 250.0.0, this reader "
            "supports versions [13.1 - 13.5]");
  enableTestingVersions();
  EXPECT_EQ(supportedBytecodeRange(), "[13.1 - 13.5]");
  EXPECT_EQ(newestBytecodeVersion().str(), "13.5");
  EXPECT_EQ(supportedBytecodeVersions().back().version.str(), "250.1");
  EXPECT_TRUE(reading.read(bytes)) << reading.allErrors();
}

} // namespace
