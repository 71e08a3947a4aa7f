// Who observes for as long as a screen needs only this import.
@_exported public import KeyValueObserving
