// What is inside a tenon_program: source and options, all copied, and what the last compile said.
#ifndef TN_LINK_PROGRAM_H_
#define TN_LINK_PROGRAM_H_

#include "base/buffer.h"
#include "link/texts.h"
#include "tenon/program.h"

struct tenon_program {
    tenon_program_options options;  ///< Its strings are here; its lists are below and NULL in it.
    char *name;
    char *source;
    tn_texts include_paths, defines, extra_options;
    tn_texts header_names, header_texts;  ///< One text for each name.
    tn_texts expressions;
    tn_texts lowered;  ///< One name for each expression, after a compile that succeeded.
    tn_buffer log;
};

#endif  // TN_LINK_PROGRAM_H_
