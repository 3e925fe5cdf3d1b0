// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/launch/FatBinary.h"

#include "gtest/gtest.h"

#include <cstring>

#include <elf.h>
#include <lz4.h>
#include <zstd.h>

using namespace tileir;
using namespace tileir::launch;

namespace {

constexpr uint64_t kLZ4 = 0x2000, kZstd = 0x8000, kSuffixA = 0x100000;

void put(std::string &to, uint64_t value, unsigned bytes) {
  for (unsigned k = 0; k < bytes; ++k)
    to += char(value >> (8 * k));
}

/// An entry, with 16 bytes between its header and the image.
std::string entry(unsigned kind, unsigned sm, std::string image,
                  uint64_t flags = 0) {
  uint64_t unpacked = 0, packed = 0;
  if (flags & (kLZ4 | kZstd)) {
    std::string bytes(image.size() + 1000, 0);
    packed = flags & kLZ4
                 ? uint64_t(LZ4_compress_default(image.data(), bytes.data(),
                                                 int(image.size()),
                                                 int(bytes.size())))
                 : ZSTD_compress(bytes.data(), bytes.size(), image.data(),
                                 image.size(), 3);
    unpacked = image.size();
    image = bytes.substr(0, packed);
  }
  image.resize((image.size() + 7) / 8 * 8);
  std::string out;
  put(out, kind, 2);
  put(out, 0x101, 2);
  put(out, 80, 4);
  put(out, image.size(), 8);
  put(out, packed, 4);
  put(out, 64, 4);
  put(out, 0, 4);
  put(out, sm, 4);
  put(out, 0, 8);
  put(out, flags | 0x11, 8);
  put(out, 0, 8);
  put(out, unpacked, 8);
  out.resize(80);
  return out + image;
}

std::string container(const std::string &entries) {
  std::string out;
  put(out, 0xBA55ED50, 4);
  put(out, 1, 2);
  put(out, 16, 2);
  put(out, entries.size(), 8);
  return out + entries;
}

/// An object of a host with `bytes` as section `name`.
std::string object(const std::string &name, const std::string &bytes) {
  std::string names = std::string(1, 0) + name + std::string(1, 0);
  Elf64_Ehdr header = {};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_machine = EM_X86_64;
  header.e_shoff = sizeof header;
  header.e_shnum = 3;
  header.e_shstrndx = 1;
  Elf64_Shdr sections[3] = {};
  sections[1].sh_offset = sizeof header + sizeof sections;
  sections[1].sh_size = names.size();
  sections[2].sh_name = 1;
  sections[2].sh_offset = sections[1].sh_offset + names.size();
  sections[2].sh_size = bytes.size();
  std::string out(sizeof header + sizeof sections, 0);
  std::memcpy(out.data(), &header, sizeof header);
  std::memcpy(out.data() + sizeof header, sections, sizeof sections);
  return out + names + bytes;
}

std::string ptx(const std::string &name) {
  return ".version 9.0\n.target sm_90\n.visible .entry " + name + "(\n) {}\n";
}

std::vector<FatContainer> read(const std::string &file) {
  std::vector<FatContainer> out;
  std::string error;
  EXPECT_TRUE(holdsFatBinary(file));
  EXPECT_TRUE(readFatBinary(file, out, error)) << error;
  return out;
}

/// Images that are chosen, each with its GPU, or the error.
std::string choose(const std::vector<FatContainer> &containers,
                   const std::string &name, const char *gpu) {
  std::vector<FatCandidate> found;
  std::string text;
  if (!listCandidates(containers, name, gpu ? Target::parse(gpu) : std::nullopt,
                      found, text))
    return text;
  for (const FatCandidate &one : found)
    text += (text.empty() ? "" : "; ") + one.image->arch + ' ' + one.bytes +
            (one.cubin.empty() ? "" : " with " + one.cubin);
  return text;
}

} // namespace

TEST(FatBinary, unpacksWhatIsCompressed) {
  std::string text = ptx("k");
  for (int k = 0; k < 100; ++k)
    text += "// a comment that repeats itself\n";
  for (uint64_t how : {uint64_t(0), kLZ4, kZstd}) {
    auto containers = read(container(entry(1, 90, text, how)));
    ASSERT_EQ(containers.size(), 1u);
    ASSERT_EQ(containers[0].images.size(), 1u);
    std::string bytes, error;
    ASSERT_TRUE(containers[0].images[0].unpack(bytes, error)) << error;
    EXPECT_EQ(bytes.substr(0, text.size()), text);
  }
}

TEST(FatBinary, leavesPaddingOut) {
  // A section of 3 bytes that is aligned to 8, one of 3, the end; zeros in
  // both.
  std::string tile = std::string("\x7fTileIR\0\x0d\x05\0\0", 12) +
                     std::string("\x82\x03\x08\xcb"
                                 "a\0\0",
                                 7) +
                     std::string("\x01\x03\0\0\0\0", 6);
  for (uint64_t how : {uint64_t(0), kZstd}) {
    auto containers = read(container(entry(128, 90, tile, how)));
    std::string bytes, error;
    ASSERT_TRUE(containers[0].images[0].unpack(bytes, error)) << error;
    EXPECT_EQ(bytes, tile);
  }
  // Whatever is no Tile IR stays as it is.
  for (const char *other :
       {"\x7fTileIR", "\x7fTileIRxxxxx\x01\xff\xff\xff\xff\xff"}) {
    auto containers = read(container(entry(128, 90, other)));
    std::string bytes, error;
    ASSERT_TRUE(containers[0].images[0].unpack(bytes, error)) << error;
    EXPECT_EQ(bytes.substr(0, std::strlen(other)), other);
  }
}

TEST(FatBinary, findsContainersInSections) {
  std::string one = container(entry(1, 90, ptx("a"), kZstd)),
              two = container(entry(2, 90, "code") + entry(128, 90, "bytes"));
  for (const char *name : {".nv_fatbin", "__nv_relfatbin"}) {
    auto containers = read(object(name, one + std::string(24, 0) + two));
    ASSERT_EQ(containers.size(), 2u);
    EXPECT_EQ(containers[1].bytes, two);
    EXPECT_EQ(listImages(containers),
              "PTX for sm_90, machine code for sm_90, Tile IR for sm_90");
  }
  EXPECT_TRUE(read(object(".text", one)).empty());
  EXPECT_FALSE(holdsFatBinary(ptx("a")));
}

TEST(FatBinary, takesTheNearestImageOfAnEntry) {
  auto containers = read(container(
      entry(1, 80, ptx("k")) + entry(1, 90, ptx("k") + "// 90\n", kLZ4) +
      entry(2, 90, "code of 90", kZstd) + entry(1, 100, ptx("k"), kSuffixA)));
  EXPECT_EQ(choose(containers, "k", "sm_86"), "sm_80 " + ptx("k"));
  EXPECT_EQ(choose(containers, "k", "sm_90a"),
            "sm_90 " + ptx("k") + "// 90\n with code of 90");
  EXPECT_EQ(choose(containers, "k", "sm_100"), "sm_100a " + ptx("k"));
  EXPECT_EQ(choose(containers, "k", "sm_120"), "sm_90 " + ptx("k") + "// 90\n");
  EXPECT_EQ(choose(containers, "k", "sm_75"), "");
  EXPECT_EQ(choose(containers, "k", nullptr),
            "it has images for several GPUs (PTX for sm_80, PTX for sm_90, "
            "machine code for sm_90, PTX for sm_100a); give --arch");
}

TEST(FatBinary, namesOfEntriesAreWhole) {
  auto containers = read(container(entry(1, 90, ptx("scale2"))) +
                         container(entry(1, 90, ptx("scale"))));
  EXPECT_EQ(choose(containers, "scale", nullptr), "sm_90 " + ptx("scale"));
  EXPECT_EQ(choose(containers, "scal", nullptr), "");
  EXPECT_EQ(choose(containers, "", nullptr),
            "sm_90 " + ptx("scale2") + "; sm_90 " + ptx("scale"));
}

TEST(FatBinary, refusesWhatIsDamaged) {
  auto error = [](const std::string &file) {
    std::vector<FatContainer> out;
    std::string text, bytes;
    if (readFatBinary(file, out, text))
      for (const FatContainer &container : out)
        for (const FatImage &image : container.images)
          if (!image.unpack(bytes, text))
            break;
    return text;
  };
  std::string good = container(entry(1, 90, ptx("k"), kZstd));
  EXPECT_EQ(error(good), "");
  // Whatever is cut off, nothing is read beyond the end.
  for (size_t n = 4; n < good.size(); ++n)
    EXPECT_NE(error(good.substr(0, n)), "") << n;
  std::string inside = object(".nv_fatbin", good);
  size_t from = inside.size() - good.size();
  for (size_t n = 4; n < inside.size(); ++n)
    EXPECT_TRUE(error(inside.substr(0, n)) != "" || n < from) << n;
  // No change of a byte ends the process.
  for (size_t n = 0; n < good.size(); ++n)
    for (unsigned char bits : {0xFF, 0x80, 0x01}) {
      std::string bad = good;
      bad[n] = char(bad[n] ^ bits);
      error(bad);
    }
  EXPECT_EQ(error(good + "x"), "the fat binary is damaged: byte " +
                                   std::to_string(good.size()) +
                                   " of it begins no container");
  std::string other = good;
  other[16 + 41] = 0x10; // neither zstd nor LZ4
  EXPECT_EQ(error(other),
            "an image for sm_90 is compressed in an unknown way; build with "
            "nvcc's --compress-mode=none");
  std::string larger = good;
  larger[16 + 61] = 0x7F;
  EXPECT_EQ(error(larger).substr(0, 36),
            "an image for sm_90 says that it has ");
}
