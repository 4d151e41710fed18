// Recognises what bytes are and reads them into an object; containers are read with all they hold.
#ifndef TN_ELF_READ_H_
#define TN_ELF_READ_H_

#include "core/object.h"

/// Containers in containers: an archive holds host objects, these hold fatbins, these hold code.
enum { TN_MAX_DEPTH = 4 };

/// Returns the kind that the bytes have; TENON_KIND_ANY if none that tenon knows.
tenon_kind tn_recognise(const char *data, size_t size);

/// Adds a member to a container, of bytes that lie in it or (`owned`) that malloc made with a NUL
/// behind them; takes these over, also on failure. Its name is that of the container and `suffix`.
TENON_NODISCARD tenon_status *tn_add_member(tenon_object *container, const char *suffix,
                                            tenon_kind kind, tenon_bytes bytes, bool owned,
                                            tenon_object **out_member);

/// Reads a member that was added; `depth` is that of its container.
TENON_NODISCARD tenon_status *tn_read_member(tenon_object *member, unsigned depth);

// Each fills in an object of its kind, whose name and bytes are set.
TENON_NODISCARD tenon_status *tn_fatbin_read(tenon_object *object, unsigned depth);
TENON_NODISCARD tenon_status *tn_host_read(tenon_object *object, unsigned depth);
TENON_NODISCARD tenon_status *tn_archive_read(tenon_object *object, unsigned depth);
TENON_NODISCARD tenon_status *tn_ptx_read(tenon_object *object);
TENON_NODISCARD tenon_status *tn_ltoir_read(tenon_object *object);

bool tn_is_ptx(const char *data, size_t size);

/// Notes an arch of an object, such as "sm_90"; false without memory.
bool tn_add_arch(tenon_object *object, const char *arch);

/// Makes the error of having no memory for an object.
TENON_NODISCARD tenon_status *tn_no_memory(const tenon_object *object);

#endif  // TN_ELF_READ_H_
