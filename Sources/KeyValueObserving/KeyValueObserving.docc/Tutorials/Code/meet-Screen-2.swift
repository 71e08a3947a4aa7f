import KeyValueObserving

@MainActor
final class Screen {
  private(set) var text = ""
  private var observations: Set<KeyValueObservation> = []

  func show(_ list: DownloadList) {
    list.onChange(of: \.summary) { [weak self] summary in
      self?.draw(summary)
    }
    .store(in: &observations)
  }

  private func draw(_ text: String) {
    self.text = text
    print("[\(text)]")
  }
}
