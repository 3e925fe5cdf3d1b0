// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The format, as `fatbinary` of release 13.5 writes it: a header of 16 bytes
// (magic number, version, its own size, the size of what follows), then
// entries, each a header of its own size and an image that is padded to 8
// bytes.
#include "tools/launch/FatBinary.h"

#include "tools/launch/Elf.h"

#include <algorithm>
#include <climits>
#include <cstring>

#include <lz4.h>
#include <zstd.h>

namespace tileir::launch {

namespace {

struct ContainerHeader {
  uint32_t magic;
  uint16_t version, headerBytes;
  uint64_t bytes;
};

struct EntryHeader {
  uint16_t kind, version;
  uint32_t headerBytes;
  uint64_t bytes;
  uint32_t packedBytes, extension;
  uint16_t low, high;
  uint32_t sm;
  uint32_t identifier, identifierBytes;
  uint64_t flags, reserved, unpackedBytes;
};
static_assert(sizeof(ContainerHeader) == 16 && sizeof(EntryHeader) == 64);

constexpr uint32_t kMagic = 0xBA55ED50;
/// Code that nvlink links first.
constexpr uint32_t kLinkableMagic = 0x466243B1;
constexpr uint64_t kLZ4 = 0x2000, kZstd = 0x8000;
constexpr uint64_t kSuffixA = 0x100000, kSuffixF = 0x200000;
/// More than any kernel: what a damaged size must not allocate.
constexpr uint64_t kMaxImage = uint64_t(1) << 30;
/// Of an ELF file for a GPU.
constexpr uint16_t kMachineCuda = 190;

/// Copies a header from byte `at`, which need not be aligned.
template <typename T> bool take(const std::string &from, uint64_t at, T &out) {
  if (!elf::at<T>(from, at))
    return false;
  std::memcpy(&out, from.data() + at, sizeof out);
  return true;
}

bool isMagic(uint32_t magic) {
  return magic == kMagic || magic == kLinkableMagic;
}

} // namespace

/// Bytes of the Tile IR at the start of `image`, whose padding no reader takes:
/// a header of 12 bytes, then sections, each its kind, its length, where a bit
/// of the kind says so an alignment, and its content, up to a kind of 0. All of
/// `image` where it is damaged.
static size_t sizeOfTileIR(const std::string &image) {
  constexpr uint8_t kAligned = 0x80;
  size_t at = 12;
  auto number = [&] {
    uint64_t value = 0;
    for (unsigned shift = 0; at < image.size() && shift < 64; shift += 7) {
      uint8_t byte = uint8_t(image[at++]);
      value |= uint64_t(byte & 0x7F) << shift;
      if (!(byte & 0x80))
        break;
    }
    return value;
  };
  while (at < image.size()) {
    uint8_t kind = uint8_t(image[at++]);
    if (!kind)
      return at;
    uint64_t length = number();
    if (kind & kAligned)
      if (uint64_t alignment = number(); alignment && alignment < image.size())
        at = (at + alignment - 1) / alignment * alignment;
    if (at > image.size() || length > image.size() - at)
      break;
    at += length;
  }
  return image.size();
}

bool FatImage::unpack(std::string &bytes, std::string &error) const {
  if (!unpackedSize) {
    // Padded to 8 bytes.
    size_t used = kind == TileIR ? sizeOfTileIR(packed)
                  : kind == Ptx  ? packed.find_last_not_of('\0') + 1
                                 : packed.size();
    bytes = packed.substr(0, used);
    return true;
  }
  const char *how = flags & kZstd ? "zstd" : flags & kLZ4 ? "LZ4" : nullptr;
  if (!how) {
    error = "an image for " + arch +
            " is compressed in an unknown way; build "
            "with nvcc's --compress-mode=none";
    return false;
  }
  if (unpackedSize > kMaxImage || packed.size() > INT_MAX) {
    error = "an image for " + arch + " says that it has " +
            std::to_string(unpackedSize) + " bytes";
    return false;
  }
  bytes.resize(unpackedSize);
  bool whole;
  if (flags & kZstd)
    whole = ZSTD_decompress(bytes.data(), bytes.size(), packed.data(),
                            packed.size()) == bytes.size();
  else
    whole = LZ4_decompress_safe(packed.data(), bytes.data(), int(packed.size()),
                                int(bytes.size())) == int(bytes.size());
  if (!whole)
    error = "an image for " + arch + " is no " + how + " data of " +
            std::to_string(unpackedSize) + " bytes";
  return whole;
}

bool holdsFatBinary(const std::string &file) {
  if (ContainerHeader header; take(file, 0, header) && isMagic(header.magic))
    return true;
  auto *header = elf::at<Elf64_Ehdr>(file, 0);
  return header && std::memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 &&
         header->e_machine != kMachineCuda;
}

static bool readEntries(FatContainer &container, std::string &error) {
  const std::string &all = container.bytes;
  auto damaged = [&](const std::string &why) {
    error = "the fat binary is damaged: " + why;
    return false;
  };
  for (uint64_t at = sizeof(ContainerHeader); at < all.size();) {
    EntryHeader entry;
    if (!take(all, at, entry))
      return damaged("an entry is cut off");
    if (entry.headerBytes < sizeof entry ||
        entry.headerBytes > all.size() - at ||
        entry.bytes > all.size() - at - entry.headerBytes)
      return damaged("an entry reaches beyond the end");
    FatImage image;
    image.kind = entry.kind;
    image.arch = "sm_" + std::to_string(entry.sm);
    if (entry.flags & (kSuffixA | kSuffixF))
      image.arch += entry.flags & kSuffixA ? 'a' : 'f';
    image.flags = entry.flags;
    uint64_t used = entry.bytes;
    if (entry.unpackedBytes) {
      if (entry.packedBytes > entry.bytes)
        return damaged("an entry reaches beyond the end");
      used = entry.packedBytes;
      image.unpackedSize = entry.unpackedBytes;
    }
    image.packed = all.substr(at + entry.headerBytes, used);
    container.images.push_back(std::move(image));
    at += entry.headerBytes + entry.bytes;
  }
  return true;
}

/// Reads the containers that follow each other in `bytes`; zeros pad them.
static bool readContainers(const std::string &bytes,
                           std::vector<FatContainer> &out, std::string &error) {
  for (uint64_t at = 0; at < bytes.size();) {
    if (!bytes[at]) {
      ++at;
      continue;
    }
    ContainerHeader header;
    if (!take(bytes, at, header) || !isMagic(header.magic)) {
      error = "the fat binary is damaged: byte " + std::to_string(at) +
              " of it begins no container";
      return false;
    }
    if (header.headerBytes != sizeof header ||
        header.bytes > bytes.size() - at - sizeof header) {
      error = "the fat binary is damaged: a container reaches beyond the end";
      return false;
    }
    FatContainer container;
    container.bytes = bytes.substr(at, sizeof header + header.bytes);
    at += container.bytes.size();
    if (!readEntries(container, error))
      return false;
    out.push_back(std::move(container));
  }
  return true;
}

bool readFatBinary(const std::string &file, std::vector<FatContainer> &out,
                   std::string &error) {
  elf::Sections sections;
  if (std::memcmp(file.data(), ELFMAG, std::min(file.size(), size_t(SELFMAG))))
    return readContainers(file, out, error);
  if (!elf::readSections(file, sections)) {
    error = "the ELF file is damaged";
    return false;
  }
  for (size_t k = 0; k < sections.list.size(); ++k) {
    // The second holds code that nvlink has not linked.
    if (sections.names[k] != ".nv_fatbin" &&
        sections.names[k] != "__nv_relfatbin")
      continue;
    const Elf64_Shdr &s = sections.list[k];
    const char *from = elf::at<char>(file, s.sh_offset, s.sh_size);
    if (!from) {
      error = "the ELF file is damaged";
      return false;
    }
    if (!readContainers(std::string(from, s.sh_size), out, error))
      return false;
  }
  return true;
}

/// True when the kernel `entry` may be in the image: PTX names its entries, of
/// Tile IR only the strings are looked at.
static bool mayHold(const FatImage &image, const std::string &bytes,
                    const std::string &entry) {
  if (entry.empty() || image.kind == FatImage::TileIR)
    return bytes.find(entry) != std::string::npos;
  for (size_t at = 0; (at = bytes.find(".entry", at)) != std::string::npos;) {
    at = bytes.find_first_not_of(" \t\n", at + 6);
    if (at == std::string::npos)
      return false;
    size_t end = at + entry.size();
    if (bytes.compare(at, entry.size(), entry) == 0 &&
        (end >= bytes.size() || std::strchr(" \t\n({;", bytes[end])))
      return true;
  }
  return false;
}

static bool runsOn(const FatImage &image, const Target &gpu) {
  std::optional<Target> own = Target::parse(image.arch);
  return own && (own->assemblesFor(gpu) || own->number() == gpu.number());
}

/// The machine code beside `ptx`, for its host code: what the driver would load
/// on `gpu`, or, without one, what was made of it.
static bool findCubin(const FatContainer &container, const FatImage &ptx,
                      const std::optional<Target> &gpu, std::string &cubin,
                      std::string &error) {
  for (const FatImage &image : container.images) {
    std::optional<Target> chip = Target::parse(image.arch);
    if (image.kind == FatImage::Cubin && chip &&
        (gpu ? chip->number() == gpu->number() : runsOn(ptx, *chip)))
      return image.unpack(cubin, error);
  }
  return true;
}

bool listCandidates(const std::vector<FatContainer> &containers,
                    const std::string &entry, const std::optional<Target> &gpu,
                    std::vector<FatCandidate> &out, std::string &error) {
  std::vector<std::string> archs;
  for (const FatContainer &container : containers) {
    FatCandidate best;
    for (const FatImage &image : container.images) {
      if (image.kind != FatImage::Ptx && image.kind != FatImage::TileIR)
        continue;
      std::string bytes;
      if (gpu && !runsOn(image, *gpu))
        continue;
      if (!image.unpack(bytes, error))
        return false;
      if (!mayHold(image, bytes, entry))
        continue;
      if (std::find(archs.begin(), archs.end(), image.arch) == archs.end())
        archs.push_back(image.arch);
      // The nearest of those below.
      if (best.image && Target::parse(best.image->arch)->number() >=
                            Target::parse(image.arch)->number())
        continue;
      best.image = &image;
      best.bytes = std::move(bytes);
    }
    if (!best.image)
      continue;
    if (best.image->kind == FatImage::Ptx &&
        !findCubin(container, *best.image, gpu, best.cubin, error))
      return false;
    out.push_back(std::move(best));
  }
  if (!gpu && archs.size() > 1) {
    error = "it has images for several GPUs (" + listImages(containers) +
            "); give --arch";
    return false;
  }
  return true;
}

std::string listImages(const std::vector<FatContainer> &containers) {
  std::vector<std::string> seen;
  std::string text;
  for (const FatContainer &container : containers)
    for (const FatImage &image : container.images) {
      const char *kind = image.kind == FatImage::Ptx      ? "PTX"
                         : image.kind == FatImage::TileIR ? "Tile IR"
                         : image.kind == FatImage::Cubin  ? "machine code"
                                                          : "unknown code";
      std::string one = std::string(kind) + " for " + image.arch;
      if (std::find(seen.begin(), seen.end(), one) != seen.end())
        continue;
      seen.push_back(one);
      text += (text.empty() ? "" : ", ") + one;
    }
  return text;
}

} // namespace tileir::launch
