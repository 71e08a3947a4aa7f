// Empty without the trait, which needs no headers of GLib.
#ifdef WITH_GOBJECT

#include "CMeasuredObjects.h"

#include <glib-object.h>

typedef struct {
  GObject parent;
  double upper;
  GObject *child;
} MeasuredObject;

typedef struct {
  GObjectClass parent;
} MeasuredObjectClass;

enum { UPPER = 1, CHILD, COUNT };

static GParamSpec *properties[COUNT];

G_DEFINE_TYPE(MeasuredObject, measured_object, G_TYPE_OBJECT)

static void set_upper(MeasuredObject *object, double upper) {
  if (object->upper == upper) return;
  object->upper = upper;
  g_object_notify_by_pspec(&object->parent, properties[UPPER]);
}

static void set_child(MeasuredObject *object, GObject *child) {
  if (g_set_object(&object->child, child))
    g_object_notify_by_pspec(&object->parent, properties[CHILD]);
}

static void get_property(GObject *object, guint id, GValue *value, GParamSpec *spec) {
  MeasuredObject *measured = (MeasuredObject *)object;
  if (id == UPPER)
    g_value_set_double(value, measured->upper);
  else
    g_value_set_object(value, measured->child);
}

static void set_property(GObject *object, guint id, const GValue *value, GParamSpec *spec) {
  MeasuredObject *measured = (MeasuredObject *)object;
  if (id == UPPER)
    set_upper(measured, g_value_get_double(value));
  else
    set_child(measured, g_value_get_object(value));
}

static void dispose(GObject *object) {
  g_clear_object(&((MeasuredObject *)object)->child);
  G_OBJECT_CLASS(measured_object_parent_class)->dispose(object);
}

static void measured_object_init(MeasuredObject *object) {}

static void measured_object_class_init(MeasuredObjectClass *class) {
  GObjectClass *object = G_OBJECT_CLASS(class);
  const GParamFlags flags =
      G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;
  object->get_property = get_property;
  object->set_property = set_property;
  object->dispose = dispose;
  properties[UPPER] =
      g_param_spec_double("upper", NULL, NULL, -G_MAXDOUBLE, G_MAXDOUBLE, 0, flags);
  properties[CHILD] = g_param_spec_object("child", NULL, NULL, G_TYPE_OBJECT, flags);
  g_object_class_install_properties(object, COUNT, properties);
}

void *measured_object_new(void) { return g_object_new(measured_object_get_type(), NULL); }

void measured_object_release(void *object) { g_object_unref(object); }

void measured_object_set_upper(void *object, intptr_t passes) {
  // Each value is another one than the last.
  const double first = ((MeasuredObject *)object)->upper + 1;
  for (intptr_t pass = 0; pass < passes; pass++)
    g_object_set(object, "upper", first + (double)pass, NULL);
}

void measured_object_set_child(void *object, void *child) { set_child(object, child); }

static void read_upper(GObject *object, GParamSpec *spec, gpointer count) {
  double upper;
  g_object_get(object, "upper", &upper, NULL);
  *(intptr_t *)count += 1 + (upper < 0);
}

void measured_object_connect_reader(void *object, intptr_t *count) {
  g_signal_connect(object, "notify::upper", G_CALLBACK(read_upper), count);
}

void measured_object_connect_and_disconnect(void *object, intptr_t passes) {
  intptr_t count = 0;
  for (intptr_t pass = 0; pass < passes; pass++)
    g_signal_handler_disconnect(
        object, g_signal_connect(object, "notify::upper", G_CALLBACK(read_upper), &count));
}

#endif
