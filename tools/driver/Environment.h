// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TOOLS_DRIVER_ENVIRONMENT_H
#define TOOLS_DRIVER_ENVIRONMENT_H

#include "serialize/ptxas/Session.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace tileir::driver {

/// Makes the process fit for a tool: descriptors 0 to 2 are open, broken pipes
/// and file-size limits are reported instead of deadly, and the heap gives
/// nothing back. Text that standard output does not take ends the process with
/// `unwritable`.
void prepareProcess(Status unwritable);

/// LLVM's fatal errors become one `error:` line and exit code 5; memory that
/// runs out exits with 1. Children and temporary files of `session` go first.
void installFatalErrorHandlers(ToolSession *session);

/// Ends the process without destructors: the system takes memory back faster.
[[noreturn]] void leave(Status status);

/// Runs `work` on a thread whose stack takes deep but legal nesting; on a
/// smaller stack where limits leave no room for it.
void runOnLargeStack(llvm::function_ref<void()> work);

/// Forgets the options that the linked libraries registered, so that a tool has
/// its own only; those whose names begin with one of `kept` stay, hidden. Call
/// it before any option of the tool is made.
void resetCommandLine(llvm::ArrayRef<llvm::StringRef> kept);

} // namespace tileir::driver

#endif // TOOLS_DRIVER_ENVIRONMENT_H
