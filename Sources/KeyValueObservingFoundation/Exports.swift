// Code that is being ported needs one import beside Foundation.
@_exported public import KeyValueObserving
