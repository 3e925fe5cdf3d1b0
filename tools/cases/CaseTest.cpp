// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/cases/Case.h"
#include "tools/cases/Nearest.h"
#include "tools/cases/SparseArray.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "gtest/gtest.h"

using namespace tileir::cases;

static std::string parseError(const char *text) {
  Case c;
  std::string error;
  EXPECT_FALSE(parseCase(text, "t.json", c, error));
  return error;
}

TEST(Json, KeepsIntegersAndRefusesBadText) {
  Json json;
  std::string error;
  ASSERT_TRUE(parseJson("{\"a\": [18446744073709551615, -1, \"\\u00e9\"]}",
                        json, error));
  uint64_t bits;
  bool negative;
  EXPECT_TRUE(json.find("a")->items[0].asInteger(bits, negative));
  EXPECT_EQ(bits, ~uint64_t(0));
  EXPECT_EQ(json.find("a")->items[2].text, "\xc3\xa9");
  EXPECT_FALSE(parseJson("{\"a\": 01}", json, error));
  EXPECT_FALSE(parseJson("[1,\n 2,]", json, error));
  EXPECT_EQ(error.substr(0, 39), "line 2, column 4: syntax error while pa");
  EXPECT_FALSE(parseJson(std::string(300, '['), json, error));
  EXPECT_EQ(error, "nested too deeply");
  EXPECT_FALSE(parseJson("", json, error));
  EXPECT_FALSE(parseJson("{\"a\":1, \"a\":2}", json, error));
  EXPECT_EQ(error, "duplicate member 'a'");
}

// First outputs of the published generator for seed 0.
TEST(Init, SplitMix64Vectors) {
  SplitMix64 random(0);
  EXPECT_EQ(random.next(), 0xE220A8397B1DCDAFull);
  EXPECT_EQ(random.next(), 0x6E789E6AA1B965F4ull);
  EXPECT_EQ(random.next(), 0x06C45D188009454Full);
  SplitMix64 uniform(3);
  EXPECT_EQ(uniform.uniform(), 0.11345034205715454);
  EXPECT_EQ(uniform.uniform(), 0.7002935135929024);
  SplitMix64 normal(3);
  EXPECT_EQ(normal.normal(), -0.26752282166853547);
  EXPECT_EQ(normal.normal(), 1.9183115721680224);
  EXPECT_EQ(normal.normal(), 0.41603484167717397);
}

TEST(Init, NormalHasUnitVariance) {
  SplitMix64 random(17);
  double sum = 0, squares = 0;
  const int n = 20000;
  for (int i = 0; i < n; ++i) {
    double x = random.normal();
    sum += x;
    squares += x * x;
  }
  EXPECT_NEAR(sum / n, 0, 0.03);
  EXPECT_NEAR(squares / n, 1, 0.03);
}

// Every code of a narrow format is its own nearest value.
TEST(Dtype, DecodeThenEncodeIsIdentity) {
  for (const FloatFormat *f :
       {&kF16, &kBF16, &kE4M3, &kE5M2, &kE2M3, &kE3M2, &kE2M1, &kUE8M0}) {
    for (uint64_t bits = 0; bits < (uint64_t(1) << f->bits()); ++bits) {
      double value = decodeFloat(*f, bits);
      if (std::isnan(value))
        continue;
      for (Rounding r : {Rounding::NearestEven, Rounding::TowardZero,
                         Rounding::Down, Rounding::Up, Rounding::NearestAway})
        ASSERT_EQ(encodeFloat(*f, value, r), bits) << f->mantissaBits;
    }
  }
}

// Between two adjacent values each rounding mode follows its name.
TEST(Dtype, RoundsBetweenNeighbours) {
  for (const FloatFormat *f : {&kF16, &kBF16, &kE4M3, &kE5M2, &kE2M1}) {
    uint64_t top = uint64_t(1) << (f->bits() - 1);
    for (uint64_t bits = 0; bits + 1 < top; ++bits) {
      double low = decodeFloat(*f, bits), high = decodeFloat(*f, bits + 1);
      if (!std::isfinite(low) || !std::isfinite(high))
        continue;
      double middle = (low + high) / 2;
      ASSERT_EQ(encodeFloat(*f, middle, Rounding::NearestEven),
                bits & 1 ? bits + 1 : bits);
      ASSERT_EQ(encodeFloat(*f, middle, Rounding::NearestAway), bits + 1);
      ASSERT_EQ(encodeFloat(*f, middle, Rounding::TowardZero), bits);
      ASSERT_EQ(encodeFloat(*f, middle, Rounding::Down), bits);
      ASSERT_EQ(encodeFloat(*f, middle, Rounding::Up), bits + 1);
      ASSERT_EQ(encodeFloat(*f, -middle, Rounding::Down), top | (bits + 1));
      ASSERT_EQ(encodeFloat(*f, -middle, Rounding::Up), top | bits);
      double quarter = low + (high - low) / 4;
      ASSERT_EQ(encodeFloat(*f, quarter, Rounding::NearestEven), bits);
    }
  }
}

TEST(Dtype, MatchesTheHostForF32) {
  SplitMix64 random(5);
  for (int i = 0; i < 200000; ++i) {
    uint64_t bits = random.next();
    double value;
    std::memcpy(&value, &bits, 8);
    if (i & 1) // Half of them near the range of f32.
      value = std::ldexp(random.normal(), int(bits % 300) - 160);
    if (std::isnan(value))
      continue;
    float host = float(value);
    uint32_t expected;
    std::memcpy(&expected, &host, 4);
    ASSERT_EQ(encodeFloat(kF32, value, Rounding::NearestEven), expected)
        << value;
  }
}

TEST(Dtype, OverflowAndNaN) {
  EXPECT_EQ(encodeFloat(kF16, 65520, Rounding::NearestEven), 0x7C00u);
  EXPECT_EQ(encodeFloat(kF16, 65519, Rounding::NearestEven), 0x7BFFu);
  EXPECT_EQ(encodeFloat(kF16, 1e9, Rounding::TowardZero), 0x7BFFu);
  EXPECT_EQ(encodeFloat(kF16, 1e9, Rounding::NearestEven, true), 0x7BFFu);
  EXPECT_EQ(encodeFloat(kE4M3, 1e9, Rounding::NearestEven), 0x7Fu);
  EXPECT_EQ(encodeFloat(kE4M3, -1e9, Rounding::NearestEven, true), 0xFEu);
  EXPECT_EQ(encodeFloat(kE2M1, 100, Rounding::NearestEven), 7u);
  EXPECT_EQ(encodeFloat(kF32, NAN, Rounding::NearestEven), 0x7FFFFFFFu);
  EXPECT_EQ(encodeFloat(kUE8M0, 3.0, Rounding::Up), 129u);
  EXPECT_EQ(encodeFloat(kUE8M0, 3.0, Rounding::TowardZero), 128u);
}

TEST(Dtype, RoundOddKeepsTheStickyBit) {
  // 1 + 2^-11 is a tie of f16; a tiny addend must decide it.
  double tie = addRoundOdd(1.0 + std::ldexp(1.0, -11), std::ldexp(1.0, -80));
  EXPECT_EQ(encodeFloat(kF16, tie, Rounding::NearestEven), 0x3C01u);
  tie = addRoundOdd(1.0 + std::ldexp(1.0, -11), -std::ldexp(1.0, -80));
  EXPECT_EQ(encodeFloat(kF16, tie, Rounding::NearestEven), 0x3C00u);
}

TEST(Case, ReadsAllFields) {
  const char *text = R"({
    "kernel": "k.ptx", "entry": "k", "grid": [4, 2], "block": 64,
    "shared_bytes": 128, "sm_count": 7, "co_resident": true,
    "args": [
      {"name": "x", "dtype": "f16", "shape": [4, 6], "strides": [8, 1],
       "init": "iota", "align": 256},
      {"name": "n", "dtype": "i32", "value": -3},
      {"name": "u", "dtype": "u64", "value": 18446744073709551615},
      {"name": "a", "dtype": "f32", "value": "nan"},
      {"name": "s", "bytes": 16, "align": 8, "fields": [
        {"offset": 0, "buffer": "x", "addend": 4},
        {"offset": 8, "dtype": "i16", "value": [1, -1]}]},
      {"name": "m", "tensor_map": {"base": {"buffer": "x"}, "dtype": "FLOAT16",
        "dims": [6, 4], "strides": [16], "box": [6, 4]}},
      {"name": "y", "buffer": "x", "addend": 12}]})";
  Case c;
  std::string error;
  ASSERT_TRUE(parseCase(text, "dir/t.json", c, error)) << error;
  EXPECT_EQ(c.grid[1], 2u);
  EXPECT_EQ((*c.block)[0], 64u);
  EXPECT_EQ(c.resolve("y.npy"), "dir/y.npy");
  EXPECT_EQ(c.args[0].buffer.span(), 30u);
  EXPECT_EQ(c.args[0].buffer.place(7), 9u);
  EXPECT_EQ(c.args[1].bits, 0xFFFFFFFDu);
  EXPECT_EQ(c.args[2].bits, ~uint64_t(0));
  EXPECT_EQ(c.args[4].fields[1].values[1], 0xFFFFu);
  EXPECT_EQ(c.args[4].address(), nullptr);
  EXPECT_EQ(c.args[5].map.elementStrides.size(), 2u);
  ASSERT_NE(c.args[6].address(), nullptr);
  EXPECT_EQ(c.args[6].address()->buffer, "x");
  EXPECT_EQ(c.args[6].address()->addend, 12);
  BufferImage image;
  uint64_t used = 0;
  ASSERT_TRUE(materialize(c.args[0].buffer, "", used, image, error));
  EXPECT_EQ(image.bytes, 60u);
  std::vector<uint8_t> bytes(60, image.fill), written(60, 0);
  storeElements(c.args[0].buffer, image, bytes.data(), written.data());
  EXPECT_EQ(written[11], 1);
  EXPECT_EQ(written[12], 0); // Between rows.
  EXPECT_EQ(bytes[12], 0xFF);
  std::vector<uint64_t> bits =
      gather(c.args[0].buffer, [&](uint64_t byte) { return bytes[byte]; });
  EXPECT_EQ(bitsToDouble(Dtype::F16, bits[23]), 23);
}

// An unknown name would count as absent, and its meaning would be dropped
// silently.
TEST(Case, UnknownKeysAreErrors) {
  auto argument = [](const char *fields) {
    return parseError(
        (std::string(R"({"kernel": "k", "args": [{"name": "x", )") + fields +
         "}]}")
            .c_str());
  };
  EXPECT_EQ(parseError(R"({"kernel": "k", "grids": 3})"),
            "t.json: 'grids': unknown key; did you mean 'grid'; expected one "
            "of kernel, entry, arch, grid, grid_unit, block, cluster, "
            "shared_bytes, stack_bytes, sm_count, co_resident, max_cycles, "
            "stdout, stdout_order, args, buffers, globals");
  std::string error =
      argument(R"("dtype": "f32", "shape": [4], "expct": "x.npy")");
  EXPECT_EQ(error.find("t.json: 'args[0].expct': unknown key; did you mean "
                       "'expect'; expected one of name, "),
            0u)
      << error;
  EXPECT_NE(error.find(" strides, "), std::string::npos) << error;
  for (const char *fields :
       {R"("dtype": "f32", "value": 1, "sed": 3)",
        R"("buffer": "y", "adend": 3)", R"("bytes": 8, "aling": 3)",
        R"("bytes": 8, "fields": [{"offset": 0, "buffer": "y", "typ": 1}])",
        R"("tensor_map": {"base": {"buffer": "y"}, "dtype": "FLOAT16",
           "dims": [6], "strides": [], "box": [6], "swizle": "128B"})",
        R"("tensor_map": {"base": {"buffer": "y", "ofset": 1},
           "dtype": "FLOAT16", "dims": [6], "strides": [], "box": [6]})",
        R"("dtype": "u64", "shape": [4],
           "relocations": [{"offset": 0, "buffer": "y", "add": 1}])"}) {
    error = argument(fields);
    EXPECT_NE(error.find("unknown key"), std::string::npos)
        << fields << ": " << error;
  }
}

TEST(Case, ExpectedBuffersAreOutputs) {
  Case c;
  std::string error;
  auto parse = [&](const char *fields) {
    return parseCase(
        std::string(R"({"kernel": "k", "args": [{"name": "x", "dtype": "f32",
                        "shape": [4], )") +
            fields + "}]}",
        "t.json", c, error);
  };
  ASSERT_TRUE(parse(R"("expect": "x.npy")")) << error;
  EXPECT_TRUE(c.args[0].buffer.output);
  EXPECT_FALSE(parse(R"("expect": "x.npy", "output": false)"));
  EXPECT_FALSE(parse(R"("expect_mask": "x.npy", "output": true)"));
}

TEST(Nearest, OneEditForThreeCharacters) {
  std::vector<std::string> names = {"seed", "shape", "strides"};
  EXPECT_EQ(nearestName("sed", names), "seed");
  EXPECT_EQ(nearestName("stride", names), "strides");
  EXPECT_EQ(nearestName("spahe", names), "shape");
  EXPECT_EQ(nearestName("xyz", names), "");
  EXPECT_EQ(nearestName("", names), "");
}

/// Returns the error of producing the contents of the only buffer of a case;
/// `used` gets their cost.
static std::string makeContents(const char *fields, uint64_t &used,
                                BufferImage &image) {
  Case c;
  std::string error;
  EXPECT_TRUE(
      parseCase(std::string(R"({"kernel": "k", "args": [{"name": "x", )") +
                    fields + "}]}",
                "t.json", c, error))
      << error;
  used = 0;
  materialize(c.args[0].buffer, "", used, image, error);
  return error;
}

// Terabytes of zeros or poison cost nothing; a few distant rows cost only
// themselves.
TEST(Case, LargeBuffersCostWhatIsInThem) {
  BufferImage image;
  uint64_t used;
  EXPECT_EQ(makeContents(R"("dtype": "f32", "shape": [1048576, 1048576])", used,
                         image),
            "");
  EXPECT_EQ(used, 0u);
  EXPECT_EQ(image.bytes, uint64_t(1) << 42);
  EXPECT_TRUE(image.isFillWritten && image.fill == 0);
  EXPECT_EQ(makeContents(R"("dtype": "f32", "shape": [1048576, 1048576],
                            "init": "poison")",
                         used, image),
            "");
  EXPECT_EQ(used, 0u);
  EXPECT_TRUE(!image.isFillWritten && image.fill == 0xFF);
  EXPECT_EQ(makeContents(R"("dtype": "f32", "shape": [3, 64],
                            "strides": [274877906944, 1], "init": "iota",
                            "output": true)",
                         used, image),
            "");
  EXPECT_LT(used, uint64_t(1) << 17);
  EXPECT_EQ(image.elements.size(), 192u);
  EXPECT_EQ(makeContents(R"("dtype": "f32", "shape": [1048576, 1048576],
                            "init": "normal")",
                         used, image),
            "'args[0]': a buffer of 1099511627776 elements does not fit into "
            "the memory of this machine; initialize it with 'zeros' or "
            "'poison', or give the rows that the kernel uses with 'strides'");
  EXPECT_EQ(makeContents(R"("dtype": "f32", "shape": [1048576, 1048576],
                            "output": true)",
                         used, image),
            "'args[0]': an output of 1099511627776 elements does not fit into "
            "the memory of this machine; give the rows that the kernel uses "
            "with 'strides'");
}

TEST(SparseArray, IsZeroAndCostsWhatIsTouched) {
  SparseArray<uint8_t> bytes;
  EXPECT_TRUE(bytes.empty());
  ASSERT_TRUE(bytes.tryReset(uint64_t(1) << 42));
  bytes[(uint64_t(1) << 42) - 1] = 7;
  EXPECT_EQ(bytes[uint64_t(1) << 41], 0);
  SparseArray<uint8_t> other(std::move(bytes));
  EXPECT_EQ(other[(uint64_t(1) << 42) - 1], 7);
  other.assign(3, 5);
  EXPECT_EQ(other.size(), 3u);
  EXPECT_EQ(other[2], 5);
  SparseArray<uint64_t> words;
  EXPECT_FALSE(words.tryReset(uint64_t(1) << 62));
  EXPECT_TRUE(words.empty());
}

TEST(Case, ErrorsNameTheField) {
  EXPECT_EQ(parseError(R"({"grid": [1]})"),
            "t.json: 'kernel': missing; expected a string");
  EXPECT_EQ(parseError(R"({"kernel": "k", "grid": [0]})"),
            "t.json: 'grid': expected numbers of at least 1");
  EXPECT_EQ(parseError(R"({"kernel": "k", "args": [
    {"name": "x", "dtype": "f33", "shape": [4]}]})"),
            "t.json: 'args[0].dtype': unknown element type 'f33', expected one "
            "of " +
                dtypeNames());
  EXPECT_EQ(parseError(R"({"kernel": "k", "args": [
    {"name": "x", "dtype": "u8", "value": 256}]})"),
            "t.json: 'args[0].value': value does not fit into u8");
}

TEST(Npy, RoundTripAndFortranOrder) {
  const char *dir = std::getenv("TEST_TMPDIR");
  std::string folder = dir ? dir : "/tmp", error;
  BufferSpec spec;
  spec.name = "case_test_bf16";
  spec.dtype = Dtype::BF16;
  spec.shape = {3, 5};
  spec.strides = {5, 1};
  spec.init = "normal";
  BufferImage image;
  uint64_t used = 0;
  ASSERT_TRUE(materialize(spec, "", used, image, error));
  std::vector<uint64_t> bits = image.elements;
  ASSERT_TRUE(writeOutput(spec, bits, folder, error)) << error;
  spec.expect = folder + "/case_test_bf16.npy";
  bool differs;
  Mismatch mismatch;
  ASSERT_TRUE(compareExpected(spec, "", bits, differs, mismatch, error))
      << error;
  EXPECT_FALSE(differs);
  bits[7] ^= 1;
  ASSERT_TRUE(compareExpected(spec, "", bits, differs, mismatch, error));
  EXPECT_TRUE(differs);
  EXPECT_EQ(mismatch.index, (std::vector<int64_t>{1, 2}));
  // 4-bit rows start at a byte.
  spec.dtype = Dtype::F4E2M1FN;
  spec.name = "case_test_f4";
  bits.assign(15, 0);
  for (size_t i = 0; i < 15; ++i)
    bits[i] = i;
  ASSERT_TRUE(writeOutput(spec, bits, folder, error));
  spec.expect = folder + "/case_test_f4.npy";
  ASSERT_TRUE(compareExpected(spec, "", bits, differs, mismatch, error))
      << error;
  EXPECT_FALSE(differs);
  // Column-major i32 [[1, 2], [3, 4]].
  std::string header =
      "{'descr': '<i4', 'fortran_order': True, 'shape': (2, 2), }";
  header.resize(117, ' ');
  header += '\n';
  std::string file("\x93NUMPY\x01\x00", 8);
  file += char(118);
  file += char(0);
  file += header;
  int32_t data[4] = {1, 3, 2, 4};
  file.append(reinterpret_cast<char *>(data), 16);
  std::string path = folder + "/case_test_fortran.npy";
  FILE *out = std::fopen(path.c_str(), "wb");
  std::fwrite(file.data(), 1, file.size(), out);
  std::fclose(out);
  NpyArray array;
  ASSERT_TRUE(readNpy(path, array, error)) << error;
  EXPECT_EQ(array.bits(1), 2u);
  EXPECT_EQ(array.bits(2), 3u);
}

TEST(Compare, Tolerances) {
  BufferSpec spec;
  spec.dtype = Dtype::F32;
  spec.shape = {4};
  spec.strides = {1};
  auto f = [](double x) { return doubleToBits(Dtype::F32, x); };
  std::vector<uint64_t> expected{f(1), f(INFINITY), f(NAN), f(100)};
  std::vector<uint64_t> got{f(1.001), f(INFINITY), f(NAN), f(100.05)};
  Mismatch m;
  spec.atol = 0.01;
  EXPECT_FALSE(compareBits(spec, got, expected, {}, m));
  EXPECT_EQ(m.count, 1u);
  EXPECT_EQ(m.index[0], 3);
  spec.rtol = 0.001;
  EXPECT_TRUE(compareBits(spec, got, expected, {}, m));
  spec.rtol = spec.atol = 0;
  EXPECT_TRUE(compareBits(spec, got, expected, {0, 1, 1, 0}, m));
  got[1] = f(-INFINITY);
  spec.atol = 1e30;
  EXPECT_FALSE(compareBits(spec, got, expected, {}, m));
}
