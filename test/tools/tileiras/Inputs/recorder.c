// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A stand-in for ptxas that keeps its arguments byte for byte, argv[0] first,
// each with a NUL behind it, in $RECORD, and delivers a small ELF.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  const char *path = getenv("RECORD");
  FILE *file = path ? fopen(path, "wb") : NULL;
  if (!file)
    return 3;
  for (int i = 0; i < argc; ++i)
    fwrite(argv[i], 1, strlen(argv[i]) + 1, file);
  fclose(file);
  fputs("\177ELFx", stdout);
  return 0;
}
