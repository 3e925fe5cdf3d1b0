// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/cases/Case.h"
#include "tools/cases/Nearest.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>

#include <sys/stat.h>

namespace tileir::cases {

std::string Case::resolve(const std::string &name) const {
  return name.empty() || name[0] == '/' || directory.empty()
             ? name
             : directory + "/" + name;
}

size_t BufferSpec::count() const {
  size_t n = 1;
  for (int64_t d : shape)
    n *= size_t(d);
  return n;
}

size_t BufferSpec::span() const {
  if (count() == 0)
    return 0;
  size_t last = 0;
  for (size_t d = 0; d < shape.size(); ++d)
    last += size_t((shape[d] - 1) * strides[d]);
  return last + 1;
}

size_t BufferSpec::place(size_t index) const {
  size_t at = 0;
  for (size_t d = shape.size(); d-- > 0;) {
    at += index % shape[d] * strides[d];
    index /= shape[d];
  }
  return at;
}

uint64_t BufferSpec::pageBytes() const {
  // Elements at consecutive places form a run.
  std::vector<size_t> order(shape.size());
  for (size_t d = 0; d < order.size(); ++d)
    order[d] = d;
  std::sort(order.begin(), order.end(),
            [&](size_t a, size_t b) { return strides[a] < strides[b]; });
  uint64_t run = 1, runs = 1;
  for (size_t d : order) {
    if (runs == 1 && uint64_t(strides[d]) <= run)
      run += uint64_t(shape[d] - 1) * uint64_t(strides[d]);
    else
      runs *= uint64_t(shape[d]);
  }
  constexpr uint64_t kPage = 4096;
  uint64_t all = storageBytes(dtype, span()), each, pages;
  each = storageBytes(dtype, run) + 2 * kPage;
  return __builtin_mul_overflow(runs, each, &pages) || pages > all ? all
                                                                   : pages;
}

bool readText(const std::string &path, std::string &out, std::string &error) {
  FILE *file = std::fopen(path.c_str(), "rb");
  if (!file) {
    error = "cannot open '" + path + "': " + std::strerror(errno);
    return false;
  }
  // A pipe is readable, an endless device is not.
  struct stat status;
  if (fstat(fileno(file), &status) == 0 && !S_ISREG(status.st_mode) &&
      !S_ISFIFO(status.st_mode)) {
    std::fclose(file);
    error = "'" + path + "' is no file";
    return false;
  }
  out.clear();
  char buffer[1 << 16];
  size_t n;
  while ((n = std::fread(buffer, 1, sizeof buffer, file)) > 0)
    out.append(buffer, n);
  bool ok = !std::ferror(file);
  std::fclose(file);
  if (!ok)
    error = "cannot read '" + path + "'";
  return ok;
}

bool parseScalar(const Json &value, Dtype dtype, uint64_t &bits,
                 std::string &error) {
  std::string name(dtypeName(dtype));
  if (value.kind == Json::Kind::Bool) {
    bits = doubleToBits(dtype, value.boolean);
    return true;
  }
  double number;
  uint64_t integer = 0;
  bool negative = false, exact = false;
  if (value.isNumber()) {
    number = value.asDouble();
    exact = value.asInteger(integer, negative);
  } else if (value.isString()) {
    char *end;
    const char *text = value.text.c_str();
    errno = 0;
    if (!std::strncmp(text, "0x", 2)) {
      integer = std::strtoull(text, &end, 16);
      exact = true;
      number = double(integer);
    } else {
      number = std::strtod(text, &end);
    }
    if (*end || end == text) {
      error = "expected a number, got \"" + value.text + "\"";
      return false;
    }
    // A hexadecimal string is the bit pattern, for floats too.
    if (exact && isFloat(dtype)) {
      bits = integer;
      return true;
    }
  } else {
    error = "expected a number for " + name;
    return false;
  }
  if (isFloat(dtype)) {
    bits = doubleToBits(dtype, number);
    return true;
  }
  if (!exact) {
    if (number != std::floor(number) || std::fabs(number) > 9.007e15) {
      error = "expected an integer for " + name;
      return false;
    }
    negative = number < 0;
    integer = uint64_t(int64_t(number));
  }
  int width = dtype == Dtype::I1 ? 1 : storageBits(dtype);
  bool fits;
  if (width == 64)
    fits = !(negative && isUnsigned(dtype));
  else if (negative)
    fits =
        !isUnsigned(dtype) && int64_t(integer) >= -(int64_t(1) << (width - 1));
  else
    fits = integer < (uint64_t(1) << width); // Also the bits of a signed type.
  if (!fits) {
    error = "value does not fit into " + name;
    return false;
  }
  bits = width == 64 ? integer : integer & ((uint64_t(1) << width) - 1);
  return true;
}

namespace {

/// Reads the fields of one JSON object and names the field in errors. Only the
/// requested fields are allowed in the object.
class Reader {
public:
  Reader(const Json &json, std::string where, std::string &error)
      : json(json), where(std::move(where)), error(error) {}

  bool fail(const std::string &field, const std::string &message) const {
    std::string path = where;
    if (!field.empty())
      path += (path.empty() ? "" : ".") + field;
    error = (path.empty() ? "" : "'" + path + "': ") + message;
    return false;
  }

  const Json *find(const char *name) const {
    if (std::find(asked.begin(), asked.end(), name) == asked.end())
      asked.push_back(name);
    return json.find(name);
  }

  /// Rejects unrequested fields: otherwise a misspelt `expect` would compare
  /// nothing.
  bool refuseOthers() const {
    for (const auto &[name, value] : json.members)
      if (std::find(asked.begin(), asked.end(), name) == asked.end())
        return fail(name, "unknown key" + suggestName(name, asked));
    return true;
  }

  bool string(const char *name, std::string &out, bool required = false) const {
    const Json *value = find(name);
    if (!value)
      return !required || fail(name, "missing; expected a string");
    if (!value->isString())
      return fail(name, "expected a string");
    out = value->text;
    return true;
  }

  bool boolean(const char *name, bool &out) const {
    const Json *value = find(name);
    if (!value)
      return true;
    if (value->kind != Json::Kind::Bool)
      return fail(name, "expected true or false");
    out = value->boolean;
    return true;
  }

  bool number(const char *name, double &out) const {
    const Json *value = find(name);
    if (!value)
      return true;
    if (!value->isNumber())
      return fail(name, "expected a number");
    out = value->asDouble();
    return true;
  }

  template <typename T> bool integer(const char *name, T &out) const {
    const Json *value = find(name);
    return !value || toInteger(name, *value, out);
  }

  template <typename T>
  bool toInteger(const std::string &name, const Json &value, T &out) const {
    uint64_t bits;
    bool negative;
    if (!value.asInteger(bits, negative))
      return fail(name, "expected an integer");
    if (negative && std::is_unsigned<T>::value)
      return fail(name, "expected a number of at least 0");
    out = T(bits);
    if (uint64_t(int64_t(out)) != bits && uint64_t(out) != bits)
      return fail(name, "number is too large");
    return true;
  }

  template <typename T>
  bool integers(const char *name, std::vector<T> &out) const {
    const Json *value = find(name);
    if (!value)
      return true;
    if (!value->isArray())
      return fail(name, "expected a list of integers");
    out.clear();
    for (size_t i = 0; i < value->items.size(); ++i) {
      T item;
      if (!toInteger(std::string(name) + "[" + std::to_string(i) + "]",
                     value->items[i], item))
        return false;
      out.push_back(item);
    }
    return true;
  }

  /// One to three extents of at least 1.
  bool extents(const char *name, std::array<uint32_t, 3> &out) const {
    const Json *value = find(name);
    if (!value)
      return true;
    std::vector<uint32_t> list;
    if (value->isNumber()) {
      uint32_t one;
      if (!toInteger(name, *value, one))
        return false;
      list.push_back(one);
    } else if (!integers(name, list)) {
      return false;
    }
    if (list.empty() || list.size() > 3)
      return fail(name, "expected one to three numbers");
    out = {1, 1, 1};
    for (size_t i = 0; i < list.size(); ++i) {
      if (list[i] == 0)
        return fail(name, "expected numbers of at least 1");
      out[i] = list[i];
    }
    return true;
  }

  bool dtype(const char *name, Dtype &out, bool required = true) const {
    const Json *value = find(name);
    if (!value && !required)
      return true;
    if (!value || !value->isString())
      return fail(name, "expected an element type, one of " + dtypeNames());
    std::optional<Dtype> parsed = parseDtype(value->text);
    if (!parsed)
      return fail(name, "unknown element type '" + value->text +
                            "', expected one of " + dtypeNames());
    out = *parsed;
    return true;
  }

  bool relocations(const char *name, std::vector<Relocation> &out) const {
    const Json *value = find(name);
    if (!value)
      return true;
    if (!value->isArray())
      return fail(name, "expected a list");
    for (size_t i = 0; i < value->items.size(); ++i) {
      Reader item(value->items[i],
                  where + "." + name + "[" + std::to_string(i) + "]", error);
      Relocation r;
      if (!item.integer("offset", r.offset) ||
          !item.string("buffer", r.buffer, true) ||
          !item.integer("addend", r.addend) || !item.refuseOthers())
        return false;
      out.push_back(r);
    }
    return true;
  }

  bool buffer(const char *nameField, BufferSpec &out) const {
    out.where = where;
    if (!string(nameField, out.name, true) || !dtype("dtype", out.dtype) ||
        !integers("shape", out.shape) || !integers("strides", out.strides) ||
        !integer("offset", out.offset) || !integer("pad", out.pad) ||
        !integer("align", out.align) || !string("init", out.init) ||
        !string("init_mask", out.initMask) || !integer("seed", out.seed) ||
        !boolean("output", out.output) || !string("expect", out.expect) ||
        !string("expect_mask", out.expectMask) || !number("rtol", out.rtol) ||
        !number("atol", out.atol) ||
        !relocations("relocations", out.relocations) || !refuseOthers())
      return false;
    if (!out.expect.empty() && !out.output && find("output"))
      return fail("expect", "'output' is false, so that nothing is compared; "
                            "leave one of them out");
    if (!out.initMask.empty() && out.init[0] != '@')
      return fail("init_mask",
                  "'init' names no file whose elements it chooses");
    if (out.expect.empty() && !out.expectMask.empty())
      return fail("expect_mask", "there is no 'expect' to compare with");
    out.output |= !out.expect.empty();
    for (int64_t d : out.shape)
      if (d < 0)
        return fail("shape", "expected numbers of at least 0");
    // Byte counts have 64 bits; the memory for the elements is checked at
    // allocation.
    constexpr int64_t kMax = int64_t(1) << 43;
    int64_t count = 1;
    for (int64_t d : out.shape)
      if (d && (__builtin_mul_overflow(count, d, &count) || count > kMax))
        return fail("shape", "buffer is too large");
    if (out.offset < 0 || out.offset > kMax)
      return fail("offset", "expected a number from 0 to 2^43");
    if (out.pad < 0 || out.pad > kMax)
      return fail("pad", "expected a number from 0 to 2^43");
    if (out.align == 0 || (out.align & (out.align - 1)))
      return fail("align", "expected a power of two");
    if (out.strides.empty()) {
      out.strides.assign(out.shape.size(), 1);
      for (size_t d = out.shape.size(); d-- > 1;)
        out.strides[d - 1] = out.strides[d] * out.shape[d];
    } else if (out.strides.size() != out.shape.size()) {
      return fail("strides", "expected one number per dimension of 'shape'");
    }
    for (int64_t s : out.strides)
      if (s < 0)
        return fail("strides", "expected numbers of at least 0");
    for (size_t d = 0; d < out.shape.size(); ++d) {
      int64_t last;
      if (out.shape[d] &&
          (__builtin_mul_overflow(out.shape[d] - 1, out.strides[d], &last) ||
           last > kMax))
        return fail("shape", "buffer is too large");
    }
    if (out.span() > size_t(kMax))
      return fail("shape", "buffer is too large");
    return true;
  }

  bool tensorMap(TensorMapSpec &out) const {
    std::string mode = "tiled";
    const Json *base = find("base");
    if (!base || !base->isObject())
      return fail("base", "expected an object with 'buffer'");
    Reader b(*base, where + ".base", error);
    if (!b.string("buffer", out.buffer, true) ||
        !b.integer("offset", out.offset) || !string("mode", mode) ||
        !string("dtype", out.dtype, true) || !integers("dims", out.dims) ||
        !integers("strides", out.strides) || !integers("box", out.box) ||
        !integers("element_strides", out.elementStrides) ||
        !integers("lower_corner", out.lowerCorner) ||
        !integers("upper_corner", out.upperCorner) ||
        !integer("channels_per_pixel", out.channelsPerPixel) ||
        !integer("pixels_per_column", out.pixelsPerColumn) ||
        !string("interleave", out.interleave) ||
        !string("swizzle", out.swizzle) ||
        !string("l2_promotion", out.l2Promotion) ||
        !string("oob_fill", out.oobFill) || !b.refuseOthers() ||
        !refuseOthers())
      return false;
    if (mode != "tiled" && mode != "im2col" && mode != "im2col_w" &&
        mode != "im2col_w128")
      return fail("mode",
                  "expected 'tiled', 'im2col', 'im2col_w' or 'im2col_w128'");
    out.im2col = mode != "tiled";
    out.wide = mode == "im2col_w" ? 1 : mode == "im2col_w128" ? 2 : 0;
    size_t rank = out.dims.size();
    if (rank < 1 || rank > 5)
      return fail("dims", "expected one to five numbers");
    if (out.strides.size() != rank - 1)
      return fail("strides", "expected one number fewer than 'dims'");
    if (out.elementStrides.empty())
      out.elementStrides.assign(rank, 1);
    if (out.elementStrides.size() != rank)
      return fail("element_strides", "expected as many numbers as 'dims'");
    if (!out.im2col && out.box.size() != rank)
      return fail("box", "expected as many numbers as 'dims'");
    size_t corners = out.wide ? 1 : rank - 2;
    if (out.im2col && (rank < 3 || out.lowerCorner.size() != corners ||
                       out.upperCorner.size() != corners))
      return fail("lower_corner",
                  mode + " needs rank 3 to 5 and corners of " +
                      (out.wide ? "one number" : "rank - 2 numbers"));
    return true;
  }

  bool structFields(std::vector<StructField> &out, uint64_t bytes) const {
    const Json *value = find("fields");
    if (!value)
      return true;
    if (!value->isArray())
      return fail("fields", "expected a list");
    for (size_t i = 0; i < value->items.size(); ++i) {
      Reader item(value->items[i], where + ".fields[" + std::to_string(i) + "]",
                  error);
      StructField f;
      if (!item.integer("offset", f.offset) ||
          !item.string("buffer", f.buffer) || !item.integer("addend", f.addend))
        return false;
      size_t size = 8;
      if (f.buffer.empty()) {
        const Json *v = item.find("value");
        if (!item.dtype("dtype", f.dtype))
          return false;
        if (!v)
          return item.fail("value", "missing; expected a number or a list");
        std::vector<const Json *> list;
        if (v->isArray())
          for (const Json &one : v->items)
            list.push_back(&one);
        else
          list.push_back(v);
        for (const Json *one : list) {
          uint64_t bits;
          std::string why;
          if (!parseScalar(*one, f.dtype, bits, why))
            return item.fail("value", why);
          f.values.push_back(bits);
        }
        size = storageBytes(f.dtype, f.values.size());
      }
      if (!item.refuseOthers())
        return false;
      if (f.offset + size > bytes)
        return item.fail("offset", "field ends beyond 'bytes'");
      out.push_back(std::move(f));
    }
    return true;
  }

  bool arg(Arg &out) const {
    if (!json.isObject())
      return fail("", "expected an object");
    out.where = where;
    if (!string("name", out.name, true))
      return false;
    if (find("tensor_map")) {
      out.kind = Arg::Kind::TensorMap;
      Reader map(*find("tensor_map"), where + ".tensor_map", error);
      return refuseOthers() && map.tensorMap(out.map);
    }
    if (find("shape")) {
      out.kind = Arg::Kind::Buffer;
      return buffer("name", out.buffer);
    }
    if (find("buffer")) {
      out.kind = Arg::Kind::Struct;
      out.bytes = out.align = 8;
      StructField address;
      if (!string("buffer", address.buffer, true) ||
          !integer("addend", address.addend) || !refuseOthers())
        return false;
      out.fields.push_back(std::move(address));
      return true;
    }
    if (find("bytes")) {
      out.kind = Arg::Kind::Struct;
      return integer("bytes", out.bytes) && integer("align", out.align) &&
             structFields(out.fields, out.bytes) && refuseOthers();
    }
    const Json *value = find("value");
    if (!value)
      return fail("", "expected 'value' (scalar), 'shape' (buffer), 'buffer' "
                      "(address of another), 'bytes' (struct) or "
                      "'tensor_map'");
    if (!dtype("dtype", out.dtype))
      return false;
    std::string why;
    return refuseOthers() && (parseScalar(*value, out.dtype, out.bits, why) ||
                              fail("value", why));
  }

private:
  const Json &json;
  std::string where;
  std::string &error;
  mutable std::vector<std::string> asked;
};

} // namespace

bool parseCase(std::string_view text, const std::string &path, Case &out,
               std::string &error) {
  out = Case();
  out.path = path;
  size_t slash = path.rfind('/');
  out.directory = slash == std::string::npos ? "" : path.substr(0, slash);
  Json json;
  if (!parseJson(text, json, error)) {
    error = path + ": " + error;
    return false;
  }
  Reader r(json, "", error);
  std::string gridUnit = "block", stdoutOrder;
  std::array<uint32_t, 3> block{0, 0, 0}, cluster{0, 0, 0};
  bool ok = (json.isObject() || r.fail("", "expected an object")) &&
            r.string("kernel", out.kernel, true) &&
            r.string("entry", out.entry) && r.string("arch", out.arch) &&
            r.extents("grid", out.grid) && r.string("grid_unit", gridUnit) &&
            r.extents("block", block) && r.extents("cluster", cluster) &&
            r.integer("shared_bytes", out.sharedBytes) &&
            r.integer("stack_bytes", out.stackBytes) &&
            r.integer("sm_count", out.smCount) &&
            r.boolean("co_resident", out.coResident) &&
            r.integer("max_cycles", out.maxCycles) &&
            r.string("stdout", out.stdoutFile) &&
            r.string("stdout_order", stdoutOrder);
  if (ok && gridUnit != "block" && gridUnit != "cluster")
    ok = r.fail("grid_unit", "expected 'block' or 'cluster'");
  if (ok && !stdoutOrder.empty() && stdoutOrder != "any")
    ok = r.fail("stdout_order", "expected 'any'");
  out.gridInClusters = gridUnit == "cluster";
  out.stdoutAnyOrder = stdoutOrder == "any";
  if (block[0])
    out.block = block;
  if (cluster[0])
    out.cluster = cluster;
  auto list = [&](const char *name, auto each) {
    const Json *value = r.find(name);
    if (!ok || !value)
      return;
    if (!value->isArray()) {
      ok = r.fail(name, "expected a list");
      return;
    }
    for (size_t i = 0; i < value->items.size() && ok; ++i)
      ok = each(Reader(value->items[i],
                       std::string(name) + "[" + std::to_string(i) + "]",
                       error));
  };
  list("args", [&](const Reader &item) {
    out.args.emplace_back();
    return item.arg(out.args.back());
  });
  list("buffers", [&](const Reader &item) {
    out.buffers.emplace_back();
    return item.buffer("name", out.buffers.back());
  });
  list("globals", [&](const Reader &item) {
    out.globals.emplace_back();
    out.globals.back().init = "";
    return item.buffer("symbol", out.globals.back());
  });
  ok = ok && r.refuseOthers();
  if (!ok)
    error = path + ": " + error;
  return ok;
}

bool loadCase(const std::string &path, Case &out, std::string &error) {
  std::string text;
  return readText(path, text, error) && parseCase(text, path, out, error);
}

} // namespace tileir::cases
