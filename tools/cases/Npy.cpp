// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/cases/Npy.h"

#include "dialects/support/Output.h"
#include "tools/cases/Case.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace tileir::cases {

size_t NpyArray::count() const {
  size_t n = 1;
  for (int64_t d : shape)
    n *= size_t(d);
  return n;
}

uint64_t NpyArray::bits(size_t index) const {
  uint64_t out = 0;
  std::memcpy(&out, bytes.data() + index * itemSize, itemSize);
  return out;
}

double NpyArray::asDouble(size_t index) const {
  uint64_t raw = bits(index);
  if (kind == 'f')
    return decodeFloat(itemSize == 2 ? kF16 : itemSize == 4 ? kF32 : kF64, raw);
  if (kind == 'i')
    return double(int64_t(raw << (64 - 8 * itemSize)) >> (64 - 8 * itemSize));
  return double(raw);
}

static std::string shapeText(const std::vector<int64_t> &shape) {
  std::string out = "(";
  for (size_t i = 0; i < shape.size(); ++i)
    out += (i ? ", " : "") + std::to_string(shape[i]);
  return out + (shape.size() == 1 ? ",)" : ")");
}

/// Returns the text after `'key':` in the header dictionary.
static bool field(const std::string &header, const char *key,
                  std::string &out) {
  size_t at = header.find(std::string("'") + key + "'");
  if (at == std::string::npos)
    return false;
  at = header.find(':', at);
  if (at == std::string::npos)
    return false;
  ++at;
  while (at < header.size() && header[at] == ' ')
    ++at;
  char open = header[at];
  size_t end = open == '\''  ? header.find('\'', at + 1)
               : open == '(' ? header.find(')', at)
                             : header.find_first_of(",}", at);
  if (end == std::string::npos)
    return false;
  out = open == '\'' || open == '(' ? header.substr(at + 1, end - at - 1)
                                    : header.substr(at, end - at);
  return true;
}

bool readNpy(const std::string &path, NpyArray &out, std::string &error) {
  std::string data;
  if (!readText(path, data, error))
    return false;
  auto bad = [&](const std::string &why) {
    error = "'" + path + "': " + why;
    return false;
  };
  if (data.size() < 10 || std::memcmp(data.data(), "\x93NUMPY", 6) != 0)
    return bad("not an .npy file");
  int major = uint8_t(data[6]);
  size_t length, start;
  if (major == 1) {
    length = uint8_t(data[8]) | uint8_t(data[9]) << 8;
    start = 10;
  } else if ((major == 2 || major == 3) && data.size() >= 12) {
    uint32_t n;
    std::memcpy(&n, data.data() + 8, 4);
    length = n;
    start = 12;
  } else {
    return bad("unknown .npy version " + std::to_string(major));
  }
  if (start + length > data.size())
    return bad("truncated header");
  std::string header = data.substr(start, length);
  std::string descr, order, shape;
  if (!field(header, "descr", descr) ||
      !field(header, "fortran_order", order) || !field(header, "shape", shape))
    return bad("malformed header");
  if (descr.size() < 3 || !std::strchr("<|=", descr[0]) ||
      !std::strchr("biuf", descr[1]))
    return bad(
        "element type '" + descr +
        "' is not supported; use a little-endian bool, integer or float");
  out = NpyArray();
  out.kind = descr[1];
  out.itemSize = std::atoi(descr.c_str() + 2);
  if (out.itemSize != 1 && out.itemSize != 2 && out.itemSize != 4 &&
      out.itemSize != 8)
    return bad("element type '" + descr +
               "' is not supported; use elements of 1, 2, 4 or 8 bytes");
  for (size_t at = 0; at < shape.size();) {
    size_t digits = shape.find_first_of("0123456789", at);
    if (digits == std::string::npos)
      break;
    char *end;
    out.shape.push_back(std::strtoll(shape.c_str() + digits, &end, 10));
    at = end - shape.c_str();
  }
  size_t count = out.count(), size = count * out.itemSize;
  if (data.size() - start - length < size)
    return bad("truncated data: " + std::to_string(size) + " bytes expected");
  const uint8_t *raw =
      reinterpret_cast<const uint8_t *>(data.data()) + start + length;
  out.bytes.assign(raw, raw + size);
  if (order.compare(0, 4, "True") == 0 && out.shape.size() > 1) {
    std::vector<int64_t> index(out.shape.size(), 0);
    for (size_t i = 0; i < count; ++i) {
      size_t from = 0, stride = 1;
      for (size_t d = 0; d < index.size(); ++d) {
        from += index[d] * stride;
        stride *= out.shape[d];
      }
      std::memcpy(&out.bytes[i * out.itemSize], raw + from * out.itemSize,
                  out.itemSize);
      for (size_t d = index.size(); d-- > 0;) {
        if (++index[d] < out.shape[d])
          break;
        index[d] = 0;
      }
    }
  }
  return true;
}

bool writeNpy(const std::string &path, const NpyArray &array,
              std::string &error) {
  std::string header = "{'descr': '";
  header += array.itemSize == 1 ? '|' : '<';
  header += array.kind + std::to_string(array.itemSize);
  header +=
      "', 'fortran_order': False, 'shape': " + shapeText(array.shape) + ", }";
  while ((10 + header.size() + 1) % 64)
    header += ' ';
  header += '\n';
  std::string text = "\x93NUMPY\x01";
  text += '\0';
  text += char(header.size() & 255);
  text += char(header.size() >> 8);
  text += header;
  text.append(reinterpret_cast<const char *>(array.bytes.data()),
              array.bytes.size());
  error = writeFile(path, text);
  return error.empty();
}

NpyArray npyFor(Dtype dtype, const std::vector<int64_t> &shape) {
  NpyArray out;
  out.shape = shape;
  int bits = storageBits(dtype);
  out.itemSize = bits < 8 ? 1 : bits / 8;
  if (isFloat(dtype))
    out.kind = bits < 16 || dtype == Dtype::BF16 ? 'u' : 'f';
  else
    out.kind = isUnsigned(dtype) ? 'u' : 'i';
  if (bits == 4) {
    out.kind = 'u';
    if (!out.shape.empty())
      out.shape.back() = (out.shape.back() + 1) / 2;
  }
  out.bytes.resize(out.count() * out.itemSize);
  return out;
}

bool npyToBits(const NpyArray &array, Dtype dtype,
               const std::vector<int64_t> &shape, const std::string &what,
               std::vector<uint64_t> &bits, std::string &error) {
  NpyArray wanted = npyFor(dtype, shape);
  bool values = isFloat(dtype) && array.kind == 'f' &&
                (array.itemSize != wanted.itemSize || wanted.kind != 'f');
  const std::vector<int64_t> &expected = values ? shape : wanted.shape;
  if (array.shape != expected) {
    error = "'" + what + "' has shape " + shapeText(array.shape) +
            ", expected " + shapeText(expected);
    return false;
  }
  bool integerKinds = array.kind != 'f' && wanted.kind != 'f';
  if (!values && (array.itemSize != wanted.itemSize ||
                  (array.kind != wanted.kind && !integerKinds))) {
    error = "'" + what + "' has elements '" + std::string(1, array.kind) +
            std::to_string(array.itemSize) + "', expected '" +
            std::string(1, wanted.kind) + std::to_string(wanted.itemSize) +
            "' for " + std::string(dtypeName(dtype));
    return false;
  }
  size_t count = 1;
  for (int64_t d : shape)
    count *= size_t(d);
  bits.resize(count);
  int64_t last = shape.empty() ? 1 : shape.back();
  for (size_t i = 0; i < count; ++i) {
    if (values) {
      bits[i] = doubleToBits(dtype, array.asDouble(i));
    } else if (storageBits(dtype) == 4) {
      size_t row = i / last, column = i % last;
      size_t at = row * ((last + 1) / 2) + column / 2;
      bits[i] = array.bytes[at] >> (column % 2 * 4) & 15;
    } else {
      bits[i] = array.bits(i);
    }
  }
  return true;
}

} // namespace tileir::cases
