import KeyValueObserving

/// An observable property that only this module sees.
@KeyValueObservable
final class OwnModel {
  var count = 0
}
