// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "serialize/elf/Fatbin.h"

#include "serialize/elf/Bytes.h"
#include "serialize/elf/Cubin.h"

namespace tileir {

static constexpr uint32_t containerMagic = 0xBA55ED50;

/// First SM whose entries carry the compatibility record.
static constexpr unsigned firstWithExtension = 100;

static uint64_t padded(uint64_t bytes) { return (bytes + 7) / 8 * 8; }

/// Writes the fields that both kinds of entry share, up to the extension.
static void writeEntryHeader(ByteWriter &w, unsigned kind, uint32_t headerBytes,
                             uint64_t payload, uint32_t extensionOffset,
                             unsigned low, unsigned high, unsigned sm,
                             uint64_t flags) {
  w.u16(kind);
  w.u16(0x0101);
  w.u32(headerBytes);
  w.u64(payload);
  w.u32(0); // compressed size
  w.u32(extensionOffset);
  w.u16(low);
  w.u16(high);
  w.u32(sm);
  w.u64(0); // identifier: offset, length
  w.u64(flags);
  w.u64(0);
  w.u64(0); // uncompressed size, when compressed
}

namespace {
/// Number and suffix of `sm_90a`, as in entry headers.
struct ArchFields {
  unsigned sm = 0;
  uint64_t flag = 0;
};
} // namespace

static ArchFields archFields(llvm::StringRef arch) {
  ArchFields fields;
  arch.consume_front("sm_");
  (void)arch.consumeInteger(10, fields.sm);
  fields.flag = arch == "a" ? 0x100000 : arch == "f" ? 0x200000 : 0;
  return fields;
}

Fatbin makeFatbin(const FatbinRequest &request) {
  ArchFields arch = archFields(request.arch);

  // The extension repeats the cubin's compatibility section; the image of a
  // stand-in has none.
  llvm::StringRef compat;
  std::string ignored;
  std::optional<ElfFile> elf = parseElf(request.cubin, ignored);
  if (arch.sm >= firstWithExtension && elf)
    if (const ElfSection *section = elf->find(".nv.compat"))
      compat = section->data;
  bool extension = !compat.empty();

  // 64-bit, Linux host, then flags of the image.
  uint64_t flags = 0x1 | 0x10;
  if (request.debug)
    flags |= 0x2;

  constexpr uint32_t fixedHeader = 64, textHeader = 80;
  uint32_t entryHeader = fixedHeader;
  if (extension)
    entryHeader = uint32_t(padded(fixedHeader + 8 + 1 + compat.size()));
  uint64_t payload = padded(request.cubin.size());
  uint64_t text = request.ptx.empty() ? 0 : padded(request.ptx.size() + 1);

  ByteWriter w;
  w.u32(containerMagic);
  w.u16(1);  // version
  w.u16(16); // size of this header
  w.u64(entryHeader + payload + (text ? textHeader + text : 0));

  writeEntryHeader(w, /*kind=*/2, entryHeader, payload,
                   extension ? fixedHeader : 0, 8, 1, arch.sm,
                   flags | arch.flag | (extension ? 0x1000000 : 0));
  if (extension) {
    w.u32(fixedHeader + 8); // offset of the command line, which is empty
    w.u32(uint32_t(compat.size()));
    w.u8(0);
    w.text(compat);
    w.zeros(16 + entryHeader - w.bytes.size());
  }
  Fatbin result;
  result.cubinOffset = w.bytes.size();
  w.text(request.cubin);
  w.zeros(payload - request.cubin.size());
  if (text) {
    ArchFields target = archFields(request.ptxArch);
    writeEntryHeader(w, /*kind=*/1, textHeader, text, fixedHeader,
                     request.ptxVersion % 10, request.ptxVersion / 10,
                     target.sm, flags | target.flag);
    w.u32(fixedHeader + 8);
    w.u32(0);
    w.zeros(textHeader - fixedHeader - 8);
    w.text(request.ptx);
    w.zeros(text - request.ptx.size());
  }
  result.bytes = std::move(w.bytes);
  return result;
}

} // namespace tileir
