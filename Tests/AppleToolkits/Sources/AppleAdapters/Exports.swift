// The files of the adapters are part of this module when the library is built; here they see it
// through this import.
@_exported public import LifecycleObserving
