import KeyValueObserving

@MainActor
final class Screen {
  private(set) var text = ""
  private var observations: Set<KeyValueObservation> = []
}
