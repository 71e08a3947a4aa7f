// A class of GObjects that is measured.

#ifndef C_GOBJECT_MODELS_H
#define C_GOBJECT_MODELS_H

#include <stdint.h>

/// Returns an object with the properties `upper` and `child`, with a reference that the caller owns.
void *measured_object_new(void);

void measured_object_release(void *object);

/// Sets `upper` so often, with `g_object_set`.
void measured_object_set_upper(void *object, intptr_t passes);

void measured_object_set_child(void *object, void *child);

/// Connects a handler that reads `upper`, and adds 1 to the count for each call.
void measured_object_connect_reader(void *object, intptr_t *count);

/// Connects a handler that does the same, and disconnects it, so often.
void measured_object_connect_and_disconnect(void *object, intptr_t passes);

#endif
