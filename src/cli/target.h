// Which kind of object is wanted: said by --emit, or by the name of the output.
#ifndef TENON_CLI_TARGET_H_
#define TENON_CLI_TARGET_H_

#include "cli/opt.h"
#include "tenon.h"

/// The words of --emit.
extern const tn_opt_word tn_target_words[];

/// Returns the extension of files of a kind, which is its word for --emit too.
const char *tn_target_extension(tenon_kind kind);

/// Returns `emit` or, where that is 0, what the extension of `output` says (which may be NULL);
/// otherwise a cubin.
tenon_kind tn_target(uint32_t emit, const char *output);

#endif  // TENON_CLI_TARGET_H_
