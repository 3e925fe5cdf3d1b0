// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hidden parameters without the host object: the compiler's launch sidecar says
// how they follow from the visible ones.
#include "tools/launch/Sidecar.h"

#include "tools/emulator/TensorMap.h"

#include <algorithm>
#include <cstring>

namespace tileir::launch {

using cases::Json;

namespace {

uint64_t mask(unsigned width) {
  return width >= 64 ? ~uint64_t(0) : (uint64_t(1) << width) - 1;
}

int64_t extend(uint64_t value, unsigned width) {
  unsigned unused = 64 - width;
  return int64_t(value << unused) >> unused;
}

/// Evaluates the values of one map over the parameter block.
class Evaluator {
public:
  Evaluator(const Json &kernel, const std::vector<uint8_t> &block)
      : kernel(kernel), block(block) {}

  bool run(const Json &map, std::string &error) {
    values.clear();
    const Json *list = map.find("values");
    if (!list || !list->isArray())
      return fail(error, "'values' is missing");
    for (const Json &one : list->items)
      if (!evaluate(one))
        return fail(error, "value " + std::to_string(values.size()) +
                               " cannot be evaluated");
    return true;
  }

  /// The value that `index` names.
  bool get(const Json *index, uint64_t &value) const {
    uint64_t at;
    bool negative;
    if (!index || !index->asInteger(at, negative) || at >= values.size())
      return false;
    value = values[at].bits;
    return true;
  }

private:
  struct Value {
    uint64_t bits = 0;
    unsigned width = 64;
  };

  static bool fail(std::string &error, const std::string &why) {
    error = why;
    return false;
  }

  bool parameter(const Json &node, Value &value) {
    const Json *number = node.find("parameter");
    const Json *parameters = kernel.find("parameters");
    uint64_t index, offset, size;
    bool negative;
    if (!number || !number->asInteger(index, negative) || !parameters ||
        index >= parameters->items.size())
      return false;
    const Json *at = parameters->items[index].find("offset");
    const Json *bytes = parameters->items[index].find("size");
    if (!at || !at->asInteger(offset, negative) || !bytes ||
        !bytes->asInteger(size, negative) || size > 8 ||
        offset + size > block.size())
      return false;
    std::memcpy(&value.bits, &block[offset], size);
    return true;
  }

  static bool binary(const std::string &op, Value a, Value b, Value &out) {
    unsigned w = a.width;
    int64_t sa = extend(a.bits, w), sb = extend(b.bits, w);
    bool overflows = b.bits == mask(w) && a.bits == uint64_t(1) << (w - 1);
    uint64_t &r = out.bits;
    if (op == "add")
      r = a.bits + b.bits;
    else if (op == "sub")
      r = a.bits - b.bits;
    else if (op == "mul")
      r = a.bits * b.bits;
    else if (op == "udiv")
      r = b.bits ? a.bits / b.bits : 0;
    else if (op == "urem")
      r = b.bits ? a.bits % b.bits : 0;
    else if (op == "sdiv")
      r = !b.bits ? 0 : overflows ? a.bits : uint64_t(sa / sb);
    else if (op == "srem")
      r = !b.bits || overflows ? 0 : uint64_t(sa % sb);
    else if (op == "and")
      r = a.bits & b.bits;
    else if (op == "or")
      r = a.bits | b.bits;
    else if (op == "xor")
      r = a.bits ^ b.bits;
    else if (op == "shl")
      r = b.bits >= w ? 0 : a.bits << b.bits;
    else if (op == "lshr")
      r = b.bits >= w ? 0 : a.bits >> b.bits;
    else if (op == "ashr")
      r = uint64_t(sa >> std::min<uint64_t>(b.bits, w - 1));
    else if (op == "umin")
      r = std::min(a.bits, b.bits);
    else if (op == "umax")
      r = std::max(a.bits, b.bits);
    else if (op == "smin")
      r = sa < sb ? a.bits : b.bits;
    else if (op == "smax")
      r = sa > sb ? a.bits : b.bits;
    else if (op == "eq")
      r = a.bits == b.bits;
    else if (op == "ne")
      r = a.bits != b.bits;
    else if (op == "ult")
      r = a.bits < b.bits;
    else if (op == "ule")
      r = a.bits <= b.bits;
    else if (op == "ugt")
      r = a.bits > b.bits;
    else if (op == "uge")
      r = a.bits >= b.bits;
    else if (op == "slt")
      r = sa < sb;
    else if (op == "sle")
      r = sa <= sb;
    else if (op == "sgt")
      r = sa > sb;
    else if (op == "sge")
      r = sa >= sb;
    else
      return false;
    return true;
  }

  bool evaluate(const Json &node) {
    const Json *name = node.find("op"), *type = node.find("type");
    if (!name || !type || type->text.size() < 2)
      return false;
    const std::string &op = name->text;
    Value out;
    out.width = unsigned(std::strtoul(type->text.c_str() + 1, nullptr, 10));
    if (out.width < 1 || out.width > 64)
      return false;
    std::vector<Value> operands;
    if (const Json *list = node.find("operands"))
      for (const Json &one : list->items) {
        uint64_t at;
        bool negative;
        if (!one.asInteger(at, negative) || at >= values.size())
          return false;
        operands.push_back(values[at]);
      }
    bool negative;
    if (op == "constant") {
      const Json *given = node.find("value");
      if (!given || !given->asInteger(out.bits, negative))
        return false;
    } else if (op == "argument") {
      if (!parameter(node, out))
        return false;
    } else if (op == "select" && operands.size() == 3) {
      out.bits = operands[operands[0].bits ? 1 : 2].bits;
    } else if ((op == "trunc" || op == "zext") && operands.size() == 1) {
      out.bits = operands[0].bits;
    } else if (op == "sext" && operands.size() == 1) {
      out.bits = uint64_t(extend(operands[0].bits, operands[0].width));
    } else if (operands.size() != 2 ||
               !binary(op, operands[0], operands[1], out)) {
      return false;
    }
    out.bits &= mask(out.width);
    values.push_back(out);
    return true;
  }

  const Json &kernel;
  const std::vector<uint8_t> &block;
  std::vector<Value> values;
};

/// The list of integers called `name`.
bool numbers(const Json &from, const char *name, std::vector<int64_t> &out) {
  const Json *list = from.find(name);
  if (!list || !list->isArray())
    return false;
  for (const Json &one : list->items) {
    uint64_t value;
    bool negative;
    if (!one.asInteger(value, negative))
      return false;
    out.push_back(int64_t(value));
  }
  return true;
}

std::string word(const Json &from, const char *name) {
  const Json *found = from.find(name);
  return found ? found->text : "";
}

/// Reads the constant fields of a map, through the reader that case files
/// have.
bool readShape(const Json &map, emu::TensorMap &out, std::string &error) {
  cases::TensorMapSpec spec;
  spec.dtype = word(map, "data_type");
  spec.interleave = word(map, "interleave");
  spec.swizzle = word(map, "swizzle");
  spec.l2Promotion = word(map, "l2_promotion");
  spec.oobFill = word(map, "oob_fill");
  if (!numbers(map, "box", spec.box) || spec.box.empty() ||
      spec.box.size() > 5 ||
      !numbers(map, "element_strides", spec.elementStrides) ||
      spec.elementStrides.size() != spec.box.size()) {
    error = "'box' or 'element_strides' is wrong";
    return false;
  }
  spec.dims.assign(spec.box.size(), 1);
  spec.strides.assign(spec.box.size() - 1, 16);
  return emu::makeTensorMap(spec, 0, out, error);
}

const Json *findKernel(const Json &sidecar, const std::string &name) {
  if (const Json *kernels = sidecar.find("kernels"))
    for (const Json &kernel : kernels->items)
      if (word(kernel, "name") == name)
        return &kernel;
  return nullptr;
}

uint64_t number(const Json &from, const char *name) {
  const Json *found = from.find(name);
  uint64_t value = 0;
  bool negative;
  return found && found->asInteger(value, negative) && !negative ? value : 0;
}

bool three(const Json &from, const char *name, std::array<uint32_t, 3> &out) {
  std::vector<int64_t> list;
  if (!numbers(from, name, list) || list.size() != 3)
    return false;
  for (int a = 0; a < 3; ++a)
    out[a] = uint32_t(list[a]);
  return true;
}

} // namespace

bool Sidecar::read(const std::string &text, const std::string &name,
                   std::string &error) {
  auto fail = [&](const std::string &why) {
    error = "launch sidecar: " + why;
    return false;
  };
  if (!cases::parseJson(text, json, error))
    return fail(error);
  const Json *list = json.find("kernels");
  kernel = !name.empty()                     ? findKernel(json, name)
           : list && list->items.size() == 1 ? &list->items[0]
                                             : nullptr;
  if (!kernel)
    return fail(name.empty() ? "it describes several kernels; name one by "
                               "'entry'"
                             : "it does not describe '" + name + "'");
  entry = word(*kernel, "name");
  const Json *all = kernel->find("parameters");
  blockBytes = number(*kernel, "block_bytes");
  if (!all || blockBytes > 32768 || !three(*kernel, "block", block) ||
      !three(*kernel, "cluster", cluster))
    return fail("kernel '" + entry + "' is not described whole");
  for (const Json &one : all->items) {
    Parameter p{word(one, "kind"), number(one, "offset"), number(one, "size")};
    if (p.offset > blockBytes || p.size > blockBytes - p.offset)
      return fail("a parameter of '" + entry + "' is outside its block");
    parameters.push_back(p);
    visible += p.kind == "visible";
  }
  dynamicSharedBytes = number(*kernel, "dynamic_shared_bytes");
  workspaceBytesPerSM = number(*kernel, "workspace_bytes_per_sm");
  return true;
}

bool Sidecar::readFile(const std::string &file, const std::string &name,
                       std::string &error) {
  std::string text;
  if (!cases::readText(file, text, error))
    return false;
  if (read(text, name, error))
    return true;
  error = "'" + file + "': " + error;
  return false;
}

bool Sidecar::fillMaps(std::vector<uint8_t> &block, const Encoder &encode,
                       std::string &error) const {
  auto fail = [&](const std::string &why) {
    error = "launch sidecar, kernel '" + entry + "': " + why;
    return false;
  };
  const Json *maps = kernel->find("maps");
  if (!maps)
    return fail("'maps' is missing");
  Evaluator evaluator(*kernel, block);
  for (const Json &map : maps->items) {
    emu::TensorMap made;
    std::string why;
    uint64_t offset = 0;
    bool negative;
    const Json *at = map.find("offset");
    if (!at || !at->asInteger(offset, negative) || offset + 128 > block.size())
      return fail("a map has no place");
    if (!readShape(map, made, why) || !evaluator.run(map, why))
      return fail("map at byte " + std::to_string(offset) + ": " + why);
    const Json *extents = map.find("extents"), *strides = map.find("strides");
    bool ok = evaluator.get(map.find("address"), made.address) && extents &&
              strides && extents->items.size() == size_t(made.rank) &&
              strides->items.size() + 1 == size_t(made.rank);
    for (int d = 0; ok && d < made.rank; ++d) {
      ok = evaluator.get(&extents->items[d], made.dims[d]);
      if (ok && d)
        ok = evaluator.get(&strides->items[d - 1], made.strides[d]);
    }
    if (!ok)
      return fail("map at byte " + std::to_string(offset) +
                  ": address, extents or strides are wrong");
    if (!encode(made, &block[offset], error))
      return false;
  }
  return true;
}

bool fillFromSidecar(const Options &options, const Sidecar &sidecar,
                     const emu::Function &entry,
                     const std::vector<uint64_t> &offsets,
                     emu::Machine &machine, std::vector<uint8_t> &block,
                     std::string &error) {
  auto fail = [&](const std::string &why) {
    error = "launch sidecar, kernel '" + entry.name + "': " + why;
    return false;
  };
  if (sidecar.parameters.size() != offsets.size())
    return fail("its parameters are not those of the PTX");
  for (size_t k = 0; k < offsets.size(); ++k) {
    const Sidecar::Parameter &one = sidecar.parameters[k];
    if (one.offset != offsets[k])
      return fail("parameter " + std::to_string(k) + " is not at byte " +
                  std::to_string(offsets[k]));
    if (one.kind != "workspace")
      continue;
    // A driver that gives kernels memory of their own has no workspace.
    uint64_t address = 0;
    if (!entry.minPerCtaMemory || options.emulator.driverVersion < 2) {
      emu::Region &r = machine.memory.allocate(
          "workspace",
          sidecar.workspaceBytesPerSM * uint64_t(machine.target.typicalSMs()),
          128);
      r.written.assign(r.size, 0);
      address = r.base;
    }
    std::memcpy(&block[one.offset], &address, 8);
  }
  auto encode = [](const emu::TensorMap &map, uint8_t *bytes, std::string &) {
    emu::encodeTensorMap(map, bytes);
    return true;
  };
  return sidecar.fillMaps(block, encode, error);
}

} // namespace tileir::launch
