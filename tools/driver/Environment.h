// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TOOLS_DRIVER_ENVIRONMENT_H
#define TOOLS_DRIVER_ENVIRONMENT_H

#include "serialize/ptxas/Session.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace tileir::driver {

/// Prepares the process for a tool: descriptors 0 to 2 are open, broken pipes
/// and file-size limits are reported instead of fatal, and the heap never
/// trims. If standard output does not accept all text, the process ends with
/// `unwritable`.
void prepareProcess(Status unwritable);

/// Turns LLVM's fatal errors into one `error:` line and exit code 5; exhausted
/// memory exits with 1. Children and temporary files of `session` are removed
/// first.
void installFatalErrorHandlers(ToolSession *session);

/// Ends the process without destructors: the system frees memory faster.
[[noreturn]] void leave(Status status);

/// Runs `work` on a thread with a stack for deep but legal nesting, or a
/// smaller stack where limits require it.
void runOnLargeStack(llvm::function_ref<void()> work);

/// Unregisters the options of the linked libraries, so that a tool has only its
/// own. Options whose names begin with one of `kept` stay, hidden. Call it
/// before the tool defines options.
void resetCommandLine(llvm::ArrayRef<llvm::StringRef> kept);

} // namespace tileir::driver

#endif // TOOLS_DRIVER_ENVIRONMENT_H
