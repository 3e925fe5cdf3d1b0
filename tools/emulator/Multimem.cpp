// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// multimem: accesses through a multicast address. The machine has one device,
// so that an address stands for one replica: a reducing load reads it, a store
// writes it.
#include "tools/emulator/Decode.h"

namespace tileir::emu {

namespace {

bool decodeMultimem(Decoder &d) {
  std::string rest;
  if (d.next("ld_reduce")) {
    bool found = false;
    for (const char *op : {"add", "min", "max", "and", "or", "xor"})
      found |= d.has(op);
    if (!found)
      return d.fail("expected a reduction");
    d.prefixed("acc::", rest);
    return decodeTable().at("ld")(d);
  }
  if (d.next("st"))
    return decodeTable().at("st")(d);
  if (d.next("red"))
    return decodeTable().at("red")(d);
  return d.fail("unknown operation; expected ld_reduce, st or red");
}

} // namespace

void registerMultimem() { RegisterDecoders({{"multimem", decodeMultimem}}); }

} // namespace tileir::emu
