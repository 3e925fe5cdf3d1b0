// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/cases/Case.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <new>

#include <unistd.h>

namespace tileir::cases {

uint64_t SplitMix64::next() {
  uint64_t z = (state += 0x9E3779B97F4A7C15);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

double SplitMix64::uniform() {
  return double(next() >> 11) * (1.0 / 9007199254740992.0);
}

double SplitMix64::normal() {
  uint64_t sum = 0;
  for (int i = 0; i < 6; ++i) {
    uint64_t z = next();
    sum += (z >> 32) + (z & 0xFFFFFFFF);
  }
  return double(sum) * (1.0 / 4294967296.0) - 6.0;
}

static std::string resolve(const std::string &name,
                           const std::string &directory) {
  return name[0] == '/' || directory.empty() ? name : directory + "/" + name;
}

/// Reads the file `name` of field `field`, as elements of `dtype`.
static bool readElements(const BufferSpec &spec, const char *field,
                         const std::string &name, const std::string &directory,
                         Dtype dtype, std::vector<uint64_t> &bits,
                         std::string &error) {
  NpyArray array;
  std::string path = resolve(name, directory);
  if (readNpy(path, array, error) &&
      npyToBits(array, dtype, spec.shape, path, bits, error))
    return true;
  error = "'" + spec.where + "." + field + "': " + error;
  return false;
}

/// Draws elements of a float type, and rounds them.
template <typename F>
static void drawFloats(std::vector<uint64_t> &bits, Dtype dtype, F draw) {
  if (dtype != Dtype::F32)
    for (uint64_t &one : bits)
      one = doubleToBits(dtype, draw());
  else
    for (uint64_t &one : bits) {
      auto value = float(draw());
      uint32_t word;
      std::memcpy(&word, &value, sizeof word);
      one = word;
    }
}

/// Reads the initial elements as raw bits in row-major order; `written` is
/// false if the init is `poison`.
static bool initialBits(const BufferSpec &spec, const std::string &directory,
                        std::vector<uint64_t> &bits, bool &written,
                        std::string &error) {
  size_t count = spec.count();
  const std::string &init = spec.init;
  auto fail = [&](const std::string &why) {
    error = "'" + spec.where + ".init': " + why;
    return false;
  };
  written = init != "poison";
  bits.assign(count, 0);
  SplitMix64 random(spec.seed);
  if (init.empty() || init == "zeros") {
    if (spec.dtype == Dtype::F8E8M0FNU) // No zero: the smallest number.
      return true;
  } else if (init == "ones") {
    bits.assign(count, doubleToBits(spec.dtype, 1));
  } else if (init == "iota") {
    for (size_t i = 0; i < count; ++i)
      bits[i] = doubleToBits(spec.dtype, double(i));
  } else if (init == "normal") {
    drawFloats(bits, spec.dtype, [&] { return random.normal(); });
  } else if (init == "uniform") {
    if (!isFloat(spec.dtype))
      return fail("'uniform' needs a float element type; use 'integers:LO:HI'");
    // Toward zero, so that a narrow type stays below 1.
    for (size_t i = 0; i < count; ++i)
      bits[i] =
          doubleToBits(spec.dtype, random.uniform(), Rounding::TowardZero);
  } else if (init.compare(0, 9, "integers:") == 0) {
    char *end;
    long long low = std::strtoll(init.c_str() + 9, &end, 10);
    long long high = *end == ':' ? std::strtoll(end + 1, &end, 10) : low;
    if (*end || high <= low)
      return fail("expected 'integers:LO:HI' with LO < HI, got '" + init + "'");
    uint64_t range = uint64_t(high) - uint64_t(low);
    for (size_t i = 0; i < count; ++i) {
      int64_t value = int64_t(uint64_t(low) + random.next() % range);
      bits[i] = isFloat(spec.dtype) ? doubleToBits(spec.dtype, double(value))
                                    : uint64_t(value);
    }
  } else if (init == "poison") {
    bits.assign(count, isFloat(spec.dtype) && spec.dtype != Dtype::F4E2M1FN
                           ? ~uint64_t(0)
                           : 0xAAAAAAAAAAAAAAAA);
  } else if (init[0] == '@') {
    return readElements(spec, "init", init.substr(1), directory, spec.dtype,
                        bits, error);
  } else {
    return fail("unknown init '" + init +
                "', expected zeros, ones, iota, normal, uniform, "
                "integers:LO:HI, poison or @file.npy");
  }
  return true;
}

bool fitsMemory(uint64_t bytes) {
  static const uint64_t physical =
      uint64_t(sysconf(_SC_PHYS_PAGES)) * uint64_t(sysconf(_SC_PAGE_SIZE));
  return bytes < physical / 2;
}

[[noreturn]] static void outOfMemory() {
  static const char text[] =
      "error: this machine has not enough memory for the case; make its "
      "buffers smaller or run fewer blocks at a time\n";
  (void)!write(2, text, sizeof text - 1);
  _exit(2);
}

void exitWhenOutOfMemory() { std::set_new_handler(outOfMemory); }

bool materialize(const BufferSpec &spec, const std::string &directory,
                 uint64_t &used, BufferImage &out, std::string &error) {
  out = BufferImage();
  out.bytes = storageBytes(spec.dtype, spec.span());
  bool isZero = spec.init.empty() || spec.init == "zeros";
  bool isPoison = spec.init == "poison";
  // With this many elements in distant rows, gaps count as elements.
  constexpr uint64_t kMaxListed = uint64_t(1) << 24;
  bool isFilled =
      (isZero || isPoison) && (spec.isDense() || spec.count() > kMaxListed);
  uint64_t cost = 0;
  if (!isFilled)
    cost += 8 * spec.count() + 2 * spec.pageBytes();
  if (spec.output)
    cost += 8 * spec.count() + (isFilled ? 2 * spec.pageBytes() : 0);
  if (!fitsMemory(used + cost)) {
    error = "'" + spec.where +
            "': " + (isFilled ? "an output of " : "a buffer of ") +
            std::to_string(spec.count()) +
            " elements does not fit into the memory of this machine; " +
            (isFilled ? "" : "initialize it with 'zeros' or 'poison', or ") +
            "give the rows that the kernel uses with 'strides'";
    return false;
  }
  used += cost;
  bool isFloatFill = isFloat(spec.dtype) && spec.dtype != Dtype::F4E2M1FN;
  if (!isFilled || isPoison)
    out.fill = isFloatFill ? 0xFF : 0xAA;
  out.isFillWritten = isFilled && isZero;
  bool written = true;
  if (!isFilled && !initialBits(spec, directory, out.elements, written, error))
    return false;
  if (!spec.initMask.empty() &&
      !readElements(spec, "init_mask", spec.initMask, directory, Dtype::U8,
                    out.mask, error))
    return false;
  // Poison is the fill, too.
  if (!written)
    out.elements.clear();
  for (const Relocation &r : spec.relocations)
    if (out.bytes < 8 || r.offset > out.bytes - 8) {
      error = "'" + spec.where + ".relocations': offset " +
              std::to_string(r.offset) + " is outside the buffer";
      return false;
    }
  return true;
}

/// Elements of a row that lie side by side.
template <typename T>
static void storeRow(const uint64_t *from, size_t count, uint8_t *to) {
  for (size_t k = 0; k < count; ++k) {
    T value = T(from[k]);
    std::memcpy(to + k * sizeof value, &value, sizeof value);
  }
}

void storeElements(const BufferSpec &spec, const BufferImage &image,
                   uint8_t *data, uint8_t *written) {
  size_t width = size_t(storageBits(spec.dtype));
  if (image.elements.empty())
    return;
  size_t row = spec.shape.empty() ? 1 : size_t(spec.shape.back());
  bool isDense = image.mask.empty() && width >= 8 && !spec.shape.empty() &&
                 spec.strides.back() == 1;
  for (size_t first = 0; isDense && first < image.elements.size();
       first += row) {
    size_t at = spec.place(first) * (width / 8);
    const uint64_t *from = &image.elements[first];
    width == 8    ? storeRow<uint8_t>(from, row, data + at)
    : width == 16 ? storeRow<uint16_t>(from, row, data + at)
    : width == 32 ? storeRow<uint32_t>(from, row, data + at)
                  : storeRow<uint64_t>(from, row, data + at);
    if (written)
      std::memset(written + at, 1, row * (width / 8));
  }
  if (isDense)
    return;
  spec.forPlaces([&](size_t i, size_t at) {
    if (!image.isWritten(i))
      return;
    storeBits(spec.dtype, data, at, image.elements[i]);
    if (!written)
      return;
    if (width == 4)
      written[at / 2] = 1;
    else
      std::memset(written + at * (width / 8), 1, width / 8);
  });
}

bool writeOutput(const BufferSpec &spec, const std::vector<uint64_t> &bits,
                 const std::string &directory, std::string &error) {
  NpyArray array = npyFor(spec.dtype, spec.shape);
  int64_t last = spec.shape.empty() ? 1 : spec.shape.back();
  for (size_t i = 0; i < bits.size(); ++i) {
    size_t at = i;
    if (storageBits(spec.dtype) == 4) // Rows start at a byte.
      at = i / last * ((last + 1) / 2 * 2) + i % last;
    storeBits(spec.dtype, array.bytes.data(), at, bits[i]);
  }
  return writeNpy(directory + "/" + spec.name + ".npy", array, error);
}

bool sameValue(const BufferSpec &spec, uint64_t got, uint64_t expected) {
  if (got == expected)
    return true;
  if (!isFloat(spec.dtype) && !(spec.atol > 0))
    return false;
  double a = bitsToDouble(spec.dtype, got);
  double b = bitsToDouble(spec.dtype, expected);
  return a == b || (std::isnan(a) && std::isnan(b)) ||
         (std::isfinite(a) && std::isfinite(b) &&
          std::fabs(a - b) <= spec.atol + spec.rtol * std::fabs(b));
}

bool compareBits(const BufferSpec &spec, const std::vector<uint64_t> &got,
                 const std::vector<uint64_t> &expected,
                 const std::vector<uint64_t> &mask, Mismatch &mismatch) {
  mismatch = Mismatch();
  mismatch.name = spec.name;
  for (size_t i = 0; i < expected.size(); ++i) {
    if ((!mask.empty() && !mask[i]) || sameValue(spec, got[i], expected[i]))
      continue;
    if (mismatch.count++ == 0) {
      mismatch.index.assign(spec.shape.size(), 0);
      size_t rest = i;
      for (size_t d = spec.shape.size(); d-- > 0;) {
        mismatch.index[d] = rest % spec.shape[d];
        rest /= spec.shape[d];
      }
      mismatch.got = formatElement(spec.dtype, got[i]);
      mismatch.expected = formatElement(spec.dtype, expected[i]);
    }
  }
  return mismatch.count == 0;
}

bool readExpected(const BufferSpec &spec, const std::string &directory,
                  std::vector<uint64_t> &expected, std::vector<uint64_t> &mask,
                  std::string &error) {
  mask.clear();
  return readElements(spec, "expect", spec.expect, directory, spec.dtype,
                      expected, error) &&
         (spec.expectMask.empty() ||
          readElements(spec, "expect_mask", spec.expectMask, directory,
                       Dtype::U8, mask, error));
}

bool compareExpected(const BufferSpec &spec, const std::string &directory,
                     const std::vector<uint64_t> &got, bool &differs,
                     Mismatch &mismatch, std::string &error) {
  differs = false;
  if (spec.expect.empty())
    return true;
  std::vector<uint64_t> expected, mask;
  if (!readExpected(spec, directory, expected, mask, error))
    return false;
  differs = !compareBits(spec, got, expected, mask, mismatch);
  return true;
}

JsonTree mismatchesJson(const std::vector<Mismatch> &mismatches) {
  JsonTree out = JsonTree::array();
  for (const Mismatch &m : mismatches)
    out.push_back({{"name", m.name},
                   {"index", m.index},
                   {"got", m.got},
                   {"expected", m.expected},
                   {"count", m.count}});
  return out;
}

} // namespace tileir::cases
