import Observation

/// A property tracked by the module `Observation` that only this module sees.
@Observable
final class OwnObservable {
  var count = 0
}
