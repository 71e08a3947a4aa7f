#ifndef CGOBJECTMODELS_H
#define CGOBJECTMODELS_H

#include <glib-object.h>

/// A class with a property of each kind. Instances are counted.
///
/// | Property | |
/// | --- | --- |
/// | boolean, int8, uint8, int32, uint32, long, unsigned-long, int64, uint64, float, double | stored |
/// | name, strings, kind (enumeration), traits (flags), type, address | stored |
/// | child, item (an interface) | owned |
/// | partner | an object that it does not own, NULL when that is disposed |
/// | color (boxed, copied), bytes (boxed, counted), variant | stored |
/// | page-size | from 0 to 1000 |
/// | even | stores the next lower even number |
/// | title | notifies only if it changes (explicit) |
/// | upper | notifies `value` as well where that has to become less |
/// | secret | write-only |
/// | birth | construct-only |
/// | count | read-only |
/// | item-id | that of the interface, overridden |
typedef struct _KVOModel KVOModel;
GType kvo_model_get_type(void);

/// Returns a new model with a reference that the caller owns.
KVOModel *kvo_model_new(void);
/// A model of a subclass, which has the properties `extra` and `hadjustment` (owned) besides.
KVOModel *kvo_special_model_new(void);
/// A model that is made with a floating reference.
KVOModel *kvo_floating_model_new(void);
gint kvo_model_live_count(void);
/// Makes `count` one more.
void kvo_model_count(KVOModel *model);
/// Calls a function in the `dispose` of a model.
void kvo_model_on_dispose(KVOModel *model, void (*function)(gpointer data), gpointer data);
/// Calls a function once, when a getter has read a value and not returned it yet.
void kvo_model_on_read(KVOModel *model, void (*function)(gpointer object));
/// Whether a handler of `notify` is connected for a property.
gboolean kvo_is_notified(gpointer object, const char *property);
/// Stops the program at each warning from now on. `G_DEBUG=fatal-warnings` does it with a breakpoint, after
/// which Swift's handler of crashes goes on.
void kvo_make_warnings_fatal(void);
/// How often a getter of a property was called.
gint kvo_model_reads(KVOModel *model);

/// A boxed type, whose copies are others.
typedef struct {
  double red, green, blue;
} KVOColor;
GType kvo_color_get_type(void);

typedef enum { KVO_KIND_PLAIN, KVO_KIND_FANCY = 5 } KVOKind;
typedef enum { KVO_TRAIT_FAST = 1, KVO_TRAIT_GOOD = 4 } KVOTraits;

// Setting properties as C does.
void kvo_set_double(gpointer object, const char *property, double value);
void kvo_set_int(gpointer object, const char *property, gint value);
/// Sets `double` and `int32` with one call.
void kvo_set_double_and_int(gpointer object, double value, gint other);
void kvo_set_string(gpointer object, const char *property, const char *value);
void kvo_set_object(gpointer object, const char *property, gpointer value);
void kvo_set_color(gpointer object, const char *property, double red);
double kvo_get_double(gpointer object, const char *property);

#endif
