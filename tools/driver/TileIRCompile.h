/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The compiler as a function of C: Tile IR bytecode to a cubin, as `tileiras`
 * makes it. Link libTileIRCompile.so; it holds all it needs but ptxas, which it
 * starts as a process.
 *
 *   tileirCompileOptions options = {sizeof options};
 *   options.gpuName = "sm_90";
 *   options.optLevel = 3;
 *   tileirResult *result;
 *   if (tileirCompile(bytes, size, &options, &result) != TILEIR_SUCCESS)
 *     fputs(tileirResultGetLog(result), stderr);
 *   else
 *     cuLibraryLoadData(&library, tileirResultGetCubin(result, NULL), ...);
 *   tileirResultDestroy(result);
 */
#ifndef TOOLS_DRIVER_TILEIRCOMPILE_H
#define TOOLS_DRIVER_TILEIRCOMPILE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What became of a compilation. The numbers are the exit codes of tileiras. */
typedef enum tileirStatus {
  TILEIR_SUCCESS = 0,
  /* An argument of the function, or a value among the options, is wrong. */
  TILEIR_INVALID_OPTION = 2,
  /* The bytes are no Tile IR bytecode of a version that is read. */
  TILEIR_INVALID_BYTECODE = 3,
  /* The program cannot be compiled, or ptxas is missing or failed. */
  TILEIR_COMPILE_ERROR = 5
} tileirStatus;

/* Options of one compilation. All that is zero has its default. */
typedef struct tileirCompileOptions {
  /* sizeof(tileirCompileOptions): the caller's fields. Later releases append
     fields, which are zero for callers that do not know them. */
  size_t structSize;
  /* The target, as `tileiras --gpu-name` takes it: "sm_90". Required. */
  const char *gpuName;
  /* 0 to 3, as `tileiras --opt-level`, whose default is 3. */
  int optLevel;
  /* Not 0: source lines in the cubin. */
  int lineInfo;
  /* Not 0: full debug information; needs optLevel 0. */
  int deviceDebug;
  /* Options of the pipeline, as `tileiras --pass-pipeline`: "tileir{...}". */
  const char *pipeline;
  /* Path of ptxas. Without one: TILEIR_PTXAS_PATH, then the toolkit of
     CUDA_ROOT, CUDA_HOME or CUDA_PATH, then PATH. */
  const char *ptxasPath;
} tileirCompileOptions;

/* A cubin or the errors that are there in place of one. */
typedef struct tileirResult tileirResult;

/*
 * Compiles `size` bytes of Tile IR bytecode. Neither `bytecode` nor `options`
 * is read after the function returns. Sets `*result`, which the caller
 * destroys, on every return but where `result` is null.
 *
 * Threads: any may call, at any time; calls run one after the other, because
 * LLVM has options of the whole process. Each call compiles in a thread of its
 * own with a large stack and ends it.
 *
 * The process: the function writes to no stream and handles no signal. It makes
 * a private folder below TMPDIR for ptxas and removes it. While it runs, the
 * program must neither ignore SIGCHLD nor wait for children that it does not
 * know, so that the end of ptxas is noticed. A fault that LLVM calls fatal, as
 * memory that runs out, ends the process.
 */
tileirStatus tileirCompile(const void *bytecode, size_t size,
                           const tileirCompileOptions *options,
                           tileirResult **result);

/* The cubin, valid until the result is destroyed; null without one. `size`, if
   not null, gets its bytes. */
const void *tileirResultGetCubin(const tileirResult *result, size_t *size);

/* Errors, warnings and notes, as tileiras prints them, valid until the result
   is destroyed; "" where there are none. */
const char *tileirResultGetLog(const tileirResult *result);

/* Frees a result; null is allowed. */
void tileirResultDestroy(tileirResult *result);

#ifdef __cplusplus
}
#endif

#endif /* TOOLS_DRIVER_TILEIRCOMPILE_H */
