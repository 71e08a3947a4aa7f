#ifndef CGOBJECT_H
#define CGOBJECT_H

#include <glib-object.h>

#if defined(__linux__)
#include <glib-unix.h>
#endif

// Macros and casts of GObject as functions, since Swift imports neither.

static inline GType kvo_object_type(gconstpointer object) { return G_OBJECT_TYPE(object); }

static inline gboolean kvo_is_object(gconstpointer object) { return G_IS_OBJECT(object); }

/// The address of what a value holds. A value of a type that is no pointer lies in the `GValue` itself.
static inline gconstpointer kvo_value_contents(const GValue *value) {
  return g_value_fits_pointer(value) ? g_value_peek_pointer(value) : &value->data;
}

/// Whether notifications of an object wait until it is thawed. GLib has no function for it; its queue of
/// notifications lies in the data of the object while there is one.
static inline gboolean kvo_is_frozen(gpointer object) {
  return g_object_get_qdata(object, g_quark_try_string("GObject-notify-queue")) != NULL;
}

/// The fundamental types, and the types that are known by name.
static const GType kvo_type_interface = G_TYPE_INTERFACE;
static const GType kvo_type_char = G_TYPE_CHAR;
static const GType kvo_type_uchar = G_TYPE_UCHAR;
static const GType kvo_type_boolean = G_TYPE_BOOLEAN;
static const GType kvo_type_int = G_TYPE_INT;
static const GType kvo_type_uint = G_TYPE_UINT;
static const GType kvo_type_long = G_TYPE_LONG;
static const GType kvo_type_ulong = G_TYPE_ULONG;
static const GType kvo_type_int64 = G_TYPE_INT64;
static const GType kvo_type_uint64 = G_TYPE_UINT64;
static const GType kvo_type_enum = G_TYPE_ENUM;
static const GType kvo_type_flags = G_TYPE_FLAGS;
static const GType kvo_type_float = G_TYPE_FLOAT;
static const GType kvo_type_double = G_TYPE_DOUBLE;
static const GType kvo_type_string = G_TYPE_STRING;
static const GType kvo_type_pointer = G_TYPE_POINTER;
static const GType kvo_type_boxed = G_TYPE_BOXED;
static const GType kvo_type_object = G_TYPE_OBJECT;
static const GType kvo_type_variant = G_TYPE_VARIANT;

static inline GType kvo_type_strv(void) { return G_TYPE_STRV; }
static inline GType kvo_type_gtype(void) { return G_TYPE_GTYPE; }
static inline GType kvo_type_bytes(void) { return G_TYPE_BYTES; }
static inline GType kvo_type_date_time(void) { return G_TYPE_DATE_TIME; }
static inline GType kvo_type_gstring(void) { return G_TYPE_GSTRING; }

/// Calls a function when a property of an object is notified, until the handler is disconnected. The
/// data is released when no emission uses it any more.
static inline gulong kvo_connect_notify(
    gpointer object, guint signal, GQuark detail,
    void (*notify)(GObject *object, GParamSpec *property, gpointer data), gpointer data,
    void (*release)(gpointer data, GClosure *closure)) {
  return g_signal_connect_closure_by_id(
      object, signal, detail, g_cclosure_new(G_CALLBACK(notify), data, release), FALSE);
}

// Functions of libdispatch for foreign run loops. Its headers do not declare these.
#if defined(__linux__)
extern int _dispatch_get_main_queue_handle_4CF(void);
extern void _dispatch_main_queue_callback_4CF(void *message);

static inline void kvo_set_descriptor_callback(GSource *source, GUnixFDSourceFunc callback) {
  g_source_set_callback(source, G_SOURCE_FUNC(callback), NULL, NULL);
}
#endif

#endif
