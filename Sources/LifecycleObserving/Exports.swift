// Observing for as long as a screen exists needs only this import.
@_exported public import KeyValueObserving
