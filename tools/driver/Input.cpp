// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/driver/Input.h"

#include "llvm/ADT/StringExtras.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tileir::driver {

static InputResult readDescriptor(int fd, uint64_t maxBytes) {
  InputResult result;
  struct stat st;
  if (::fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) {
    if (uint64_t(st.st_size) > maxBytes) {
      result.tooLarge = true;
      return result;
    }
    result.bytes.reserve(size_t(st.st_size));
  }
  char buffer[1 << 16];
  for (;;) {
    ssize_t n = ::read(fd, buffer, sizeof(buffer));
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      result.error = errno;
    if (n <= 0)
      return result;
    // Counted while reading, which includes pipes.
    if (result.bytes.size() + uint64_t(n) > maxBytes) {
      result.tooLarge = true;
      return result;
    }
    result.bytes.append(buffer, size_t(n));
  }
}

InputResult readInput(const std::string &path, uint64_t maxBytes) {
  int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    InputResult result;
    result.error = errno;
    return result;
  }
  InputResult result = readDescriptor(fd, maxBytes);
  ::close(fd);
  return result;
}

InputResult readStandardInput(uint64_t maxBytes) {
  return readDescriptor(STDIN_FILENO, maxBytes);
}

/// Returns `text` without leading blanks and comments.
static llvm::StringRef skipComments(llvm::StringRef text) {
  for (;;) {
    text = text.ltrim();
    if (text.starts_with("//"))
      text = text.drop_until([](char c) { return c == '\n'; });
    else if (text.starts_with("/*"))
      text = text.split("*/").second;
    else
      return text;
  }
}

InputKind detectInput(llvm::StringRef bytes, llvm::StringRef name) {
  using llvm::StringRef;
  if (bytes.starts_with(StringRef("\x7fTileIR\0", 8)))
    return InputKind::TileIRBytecode;
  if (bytes.starts_with("ML\xefR"))
    return InputKind::MLIRBytecode;
  if (bytes.starts_with("BC\xc0\xde") || bytes.starts_with("\xde\xc0\x17\x0b"))
    return InputKind::LLVMBitcode;
  if (bytes.starts_with("\x7f"
                        "ELF")) {
    // EM_CUDA in `e_machine`.
    bool device = bytes.size() > 19 && bytes[18] == '\xbe' && bytes[19] == 0;
    return device ? InputKind::Cubin : InputKind::Object;
  }
  StringRef head = bytes.take_front(4096);
  if (skipComments(head).starts_with(".version"))
    return InputKind::PTX;
  if (name.ends_with(".ll")) {
    StringRef token = head.ltrim();
    for (StringRef start : {";", "source_filename", "target", "define",
                            "declare", "@", "%", "attributes", "!"})
      if (token.starts_with(start))
        return InputKind::LLVMText;
  }
  return InputKind::MLIRText;
}

} // namespace tileir::driver
