import KeyValueObservingFoundation

/// User defaults that notify observers on every platform.
typealias UserDefaults = ObservableUserDefaults
