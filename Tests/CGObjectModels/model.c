// Empty without the trait, which needs no headers of GLib.
#ifdef WITH_GOBJECT

#include "CGObjectModels.h"

#include <stdlib.h>

// --- Types of values

static gpointer copy_color(gpointer color) { return g_memdup2(color, sizeof(KVOColor)); }

GType kvo_color_get_type(void) {
  static gsize type = 0;
  if (g_once_init_enter(&type))
    g_once_init_leave(&type, g_boxed_type_register_static("KVOColor", copy_color, g_free));
  return type;
}

static GType kind_get_type(void) {
  static gsize type = 0;
  static const GEnumValue values[] = {
      {KVO_KIND_PLAIN, "KVO_KIND_PLAIN", "plain"},
      {KVO_KIND_FANCY, "KVO_KIND_FANCY", "fancy"},
      {0, NULL, NULL}};
  if (g_once_init_enter(&type)) g_once_init_leave(&type, g_enum_register_static("KVOKind", values));
  return type;
}

static GType traits_get_type(void) {
  static gsize type = 0;
  static const GFlagsValue values[] = {
      {KVO_TRAIT_FAST, "KVO_TRAIT_FAST", "fast"},
      {KVO_TRAIT_GOOD, "KVO_TRAIT_GOOD", "good"},
      {0, NULL, NULL}};
  if (g_once_init_enter(&type))
    g_once_init_leave(&type, g_flags_register_static("KVOTraits", values));
  return type;
}

// --- The interface

typedef struct {
  GTypeInterface parent;
} KVOItemInterface;
typedef struct _KVOItem KVOItem;

static void kvo_item_default_init(KVOItemInterface *iface) {
  g_object_interface_install_property(
      iface, g_param_spec_int("item-id", NULL, NULL, 0, 1000, 7, G_PARAM_READWRITE));
}

G_DEFINE_INTERFACE(KVOItem, kvo_item, G_TYPE_OBJECT)

// --- The class

struct _KVOModel {
  GObject parent;
  GValue values[64];
  gpointer partner;
  double upper, value;
  gint even, count, birth, item_id;
  gint reads;
  char *secret;
  void (*on_dispose)(gpointer data);
  gpointer on_dispose_data;
  void (*on_read)(gpointer data);
};

typedef struct {
  GObjectClass parent;
} KVOModelClass;

enum {
  BOOLEAN = 1, INT8, UINT8, INT32, UINT32, LONG, UNSIGNED_LONG, INT64, UINT64, FLOAT, DOUBLE, NAME,
  STRINGS, KIND, TRAITS, TYPE, ADDRESS, CHILD, ITEM, COLOR, BYTES, VARIANT, PAGE_SIZE,
  /// The ones above are stored as they are.
  STORED_COUNT,
  PARTNER, EVEN, TITLE, UPPER, VALUE, SECRET, BIRTH, COUNT, PROPERTY_COUNT,
  ITEM_ID = PROPERTY_COUNT
};

static GParamSpec *properties[PROPERTY_COUNT];
static gint live_count = 0;

static void kvo_model_item_init(KVOItemInterface *iface) {}

G_DEFINE_TYPE_WITH_CODE(
    KVOModel, kvo_model, G_TYPE_OBJECT,
    G_IMPLEMENT_INTERFACE(kvo_item_get_type(), kvo_model_item_init))

static void partner_is_gone(gpointer model, GObject *partner) {
  ((KVOModel *)model)->partner = NULL;
}

static void set_partner(KVOModel *model, gpointer partner) {
  if (model->partner) g_object_weak_unref(model->partner, partner_is_gone, model);
  model->partner = partner;
  if (partner) g_object_weak_ref(partner, partner_is_gone, model);
}

static void get_property(GObject *object, guint id, GValue *value, GParamSpec *spec) {
  KVOModel *model = (KVOModel *)object;
  g_atomic_int_inc(&model->reads);
  switch (id) {
    case PARTNER: g_value_set_object(value, model->partner); break;
    case EVEN: g_value_set_int(value, model->even); break;
    case TITLE: g_value_set_string(value, g_object_get_data(object, "title")); break;
    case UPPER: g_value_set_double(value, model->upper); break;
    case VALUE: g_value_set_double(value, model->value); break;
    case BIRTH: g_value_set_int(value, model->birth); break;
    case COUNT: g_value_set_uint(value, (guint)g_atomic_int_get(&model->count)); break;
    case ITEM_ID: g_value_set_int(value, model->item_id); break;
    default: g_value_copy(&model->values[id], value);
  }
  if (model->on_read) {
    void (*function)(gpointer) = model->on_read;
    model->on_read = NULL;
    function(object);
  }
}

static void set_property(GObject *object, guint id, const GValue *value, GParamSpec *spec) {
  KVOModel *model = (KVOModel *)object;
  switch (id) {
    case PARTNER: set_partner(model, g_value_get_object(value)); break;
    case EVEN: model->even = g_value_get_int(value) & ~1; break;
    case TITLE:
      if (g_strcmp0(g_object_get_data(object, "title"), g_value_get_string(value)) == 0) break;
      g_object_set_data_full(object, "title", g_value_dup_string(value), g_free);
      g_object_notify_by_pspec(object, properties[TITLE]);
      break;
    case UPPER:
      model->upper = g_value_get_double(value);
      if (model->value > model->upper) {
        model->value = model->upper;
        g_object_notify_by_pspec(object, properties[VALUE]);
      }
      break;
    case VALUE: model->value = g_value_get_double(value); break;
    case SECRET:
      g_free(model->secret);
      model->secret = g_value_dup_string(value);
      break;
    case BIRTH: model->birth = g_value_get_int(value); break;
    case ITEM_ID: model->item_id = g_value_get_int(value); break;
    default: {
      GValue former = model->values[id];
      GValue copy = G_VALUE_INIT;
      g_value_init(&copy, G_VALUE_TYPE(value));
      g_value_copy(value, &copy);
      model->values[id] = copy;
      g_value_unset(&former);
    }
  }
}

static void dispose(GObject *object) {
  KVOModel *model = (KVOModel *)object;
  if (model->on_dispose) {
    void (*function)(gpointer) = model->on_dispose;
    model->on_dispose = NULL;
    function(model->on_dispose_data);
  }
  set_partner(model, NULL);
  g_value_reset(&model->values[CHILD]);
  g_value_reset(&model->values[ITEM]);
  G_OBJECT_CLASS(kvo_model_parent_class)->dispose(object);
}

static void finalize(GObject *object) {
  KVOModel *model = (KVOModel *)object;
  for (int id = 1; id < STORED_COUNT; id++) g_value_unset(&model->values[id]);
  g_free(model->secret);
  g_atomic_int_add(&live_count, -1);
  G_OBJECT_CLASS(kvo_model_parent_class)->finalize(object);
}

static void kvo_model_init(KVOModel *model) {
  for (int id = 1; id < STORED_COUNT; id++) {
    GParamSpec *spec = properties[id];
    g_value_init(&model->values[id], spec->value_type);
    g_param_value_set_default(spec, &model->values[id]);
  }
  model->upper = 100;
  g_atomic_int_inc(&live_count);
}

static void kvo_model_class_init(KVOModelClass *class) {
  GObjectClass *object = G_OBJECT_CLASS(class);
  object->get_property = get_property;
  object->set_property = set_property;
  object->dispose = dispose;
  object->finalize = finalize;
  const GParamFlags both = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS;
#define ADD(id, name, type, ...) \
  properties[id] = g_param_spec_##type(name, NULL, NULL, __VA_ARGS__)
  ADD(BOOLEAN, "boolean", boolean, FALSE, both);
  ADD(INT8, "int8", char, G_MININT8, G_MAXINT8, 0, both);
  ADD(UINT8, "uint8", uchar, 0, G_MAXUINT8, 0, both);
  ADD(INT32, "int32", int, G_MININT, G_MAXINT, 0, both);
  ADD(UINT32, "uint32", uint, 0, G_MAXUINT, 0, both);
  ADD(LONG, "long", long, G_MINLONG, G_MAXLONG, 0, both);
  ADD(UNSIGNED_LONG, "unsigned-long", ulong, 0, G_MAXULONG, 0, both);
  ADD(INT64, "int64", int64, G_MININT64, G_MAXINT64, 0, both);
  ADD(UINT64, "uint64", uint64, 0, G_MAXUINT64, 0, both);
  ADD(FLOAT, "float", float, -G_MAXFLOAT, G_MAXFLOAT, 0, both);
  ADD(DOUBLE, "double", double, -G_MAXDOUBLE, G_MAXDOUBLE, 0, both);
  ADD(NAME, "name", string, NULL, both);
  ADD(STRINGS, "strings", boxed, G_TYPE_STRV, both);
  ADD(KIND, "kind", enum, kind_get_type(), KVO_KIND_PLAIN, both);
  ADD(TRAITS, "traits", flags, traits_get_type(), 0, both);
  ADD(TYPE, "type", gtype, G_TYPE_NONE, both);
  ADD(ADDRESS, "address", pointer, both);
  ADD(CHILD, "child", object, kvo_model_get_type(), both);
  ADD(ITEM, "item", object, kvo_item_get_type(), both);
  ADD(COLOR, "color", boxed, kvo_color_get_type(), both);
  ADD(BYTES, "bytes", boxed, G_TYPE_BYTES, both);
  ADD(VARIANT, "variant", variant, G_VARIANT_TYPE_ANY, NULL, both);
  ADD(PAGE_SIZE, "page-size", double, 0, 1000, 0, both);
  ADD(PARTNER, "partner", object, G_TYPE_OBJECT, both);
  ADD(EVEN, "even", int, 0, 1000, 0, both);
  ADD(TITLE, "title", string, NULL, both | G_PARAM_EXPLICIT_NOTIFY);
  ADD(UPPER, "upper", double, 0, 10000, 100, both);
  ADD(VALUE, "value", double, 0, 10000, 0, both);
  ADD(SECRET, "secret", string, NULL, G_PARAM_WRITABLE | G_PARAM_STATIC_STRINGS);
  ADD(BIRTH, "birth", int, 0, 3000, 1970, both | G_PARAM_CONSTRUCT_ONLY);
  ADD(COUNT, "count", uint, 0, G_MAXUINT, 0, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
#undef ADD
  for (int id = 1; id < PROPERTY_COUNT; id++)
    if (properties[id]) g_object_class_install_property(object, (guint)id, properties[id]);
  g_object_class_override_property(object, ITEM_ID, "item-id");
}

KVOModel *kvo_model_new(void) { return g_object_new(kvo_model_get_type(), NULL); }

gint kvo_model_live_count(void) { return g_atomic_int_get(&live_count); }

void kvo_model_count(KVOModel *model) {
  g_atomic_int_inc(&model->count);
  g_object_notify_by_pspec(G_OBJECT(model), properties[COUNT]);
}

void kvo_model_on_dispose(KVOModel *model, void (*function)(gpointer data), gpointer data) {
  model->on_dispose = function;
  model->on_dispose_data = data;
}

void kvo_model_on_read(KVOModel *model, void (*function)(gpointer object)) {
  model->on_read = function;
}

gint kvo_model_reads(KVOModel *model) { return g_atomic_int_get(&model->reads); }

gboolean kvo_is_notified(gpointer object, const char *property) {
  return g_signal_has_handler_pending(
      object, g_signal_lookup("notify", G_TYPE_OBJECT), g_quark_from_string(property), FALSE);
}

static void stop(const char *domain, GLogLevelFlags level, const char *message, gpointer data) {
  g_log_default_handler(domain, level, message, data);
  if (level & (G_LOG_LEVEL_WARNING | G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_ERROR)) abort();
}

void kvo_make_warnings_fatal(void) { g_log_set_default_handler(stop, NULL); }

// --- A subclass

typedef struct {
  KVOModel parent;
  gint extra;
  gpointer hadjustment;
} KVOSpecialModel;
typedef struct {
  KVOModelClass parent;
} KVOSpecialModelClass;

G_DEFINE_TYPE(KVOSpecialModel, kvo_special_model, kvo_model_get_type())

static void get_special(GObject *object, guint id, GValue *value, GParamSpec *spec) {
  KVOSpecialModel *model = (KVOSpecialModel *)object;
  if (id == 1)
    g_value_set_int(value, model->extra);
  else
    g_value_set_object(value, model->hadjustment);
}

static void set_special(GObject *object, guint id, const GValue *value, GParamSpec *spec) {
  KVOSpecialModel *model = (KVOSpecialModel *)object;
  if (id == 1)
    model->extra = g_value_get_int(value);
  else
    g_set_object(&model->hadjustment, g_value_get_object(value));
}

static void special_dispose(GObject *object) {
  g_clear_object(&((KVOSpecialModel *)object)->hadjustment);
  G_OBJECT_CLASS(kvo_special_model_parent_class)->dispose(object);
}

static void kvo_special_model_init(KVOSpecialModel *model) {}

static void kvo_special_model_class_init(KVOSpecialModelClass *class) {
  GObjectClass *object = G_OBJECT_CLASS(class);
  object->get_property = get_special;
  object->set_property = set_special;
  object->dispose = special_dispose;
  g_object_class_install_property(
      object, 1, g_param_spec_int("extra", NULL, NULL, 0, 100, 0, G_PARAM_READWRITE));
  g_object_class_install_property(
      object, 2,
      g_param_spec_object("hadjustment", NULL, NULL, kvo_model_get_type(), G_PARAM_READWRITE));
}

KVOModel *kvo_special_model_new(void) {
  return g_object_new(kvo_special_model_get_type(), NULL);
}

KVOModel *kvo_floating_model_new(void) {
  KVOModel *model = kvo_model_new();
  g_object_force_floating(G_OBJECT(model));
  return model;
}

// --- Setting properties as C does

void kvo_set_double(gpointer object, const char *property, double value) {
  g_object_set(object, property, value, NULL);
}

void kvo_set_int(gpointer object, const char *property, gint value) {
  g_object_set(object, property, value, NULL);
}

void kvo_set_double_and_int(gpointer object, double value, gint other) {
  g_object_set(object, "double", value, "int32", other, NULL);
}

void kvo_set_string(gpointer object, const char *property, const char *value) {
  g_object_set(object, property, value, NULL);
}

void kvo_set_object(gpointer object, const char *property, gpointer value) {
  g_object_set(object, property, value, NULL);
}

void kvo_set_color(gpointer object, const char *property, double red) {
  KVOColor color = {red, 0, 0};
  g_object_set(object, property, &color, NULL);
}

double kvo_get_double(gpointer object, const char *property) {
  double value = 0;
  g_object_get(object, property, &value, NULL);
  return value;
}

#endif
