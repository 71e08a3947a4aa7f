import KeyValueObserving

/// A class written by hand that makes one of the usual mistakes.
final class BrokenNode: KeyValueObservable {
  enum Mistake: String, CaseIterable, Sendable {
    case none, silentSetter, notifiesFirst, staleOld, silentLink, silentKey, retainsItself
    case dropsEqual, ignoresThird, neverReturns
  }

  let keyValueRegistrar = KeyValueRegistrar()
  private let mistake: Mistake
  private var storedName = ""
  private var storedNext: BrokenNode?
  private var cycle: BrokenNode?

  init(_ mistake: Mistake) {
    self.mistake = mistake
    if mistake == .retainsItself { cycle = self }
  }

  static func keyValueProperties() -> [KeyValueProperty] {
    [.stored("name", \BrokenNode.name), .stored("next", \BrokenNode.next)]
  }

  var name: String {
    get {
      if mistake != .silentKey { keyValueRegistrar.access("name", of: self) }
      return storedName
    }
    set {
      switch mistake {
      case .silentSetter: storedName = newValue
      case .dropsEqual where storedName == newValue: break
      case .ignoresThird where newValue == "c": break
      case .neverReturns where newValue < storedName: break
      case .notifiesFirst:
        keyValueRegistrar.set(
          "name", of: self, to: newValue, read: { storedName }, write: { _ in })
        storedName = newValue
      case .staleOld:
        keyValueRegistrar.set(
          "name", of: self, to: newValue, read: { "" }, write: { storedName = $0 })
      default:
        keyValueRegistrar.set(
          "name", of: self, to: newValue, read: { storedName }, write: { storedName = $0 })
      }
    }
  }

  var next: BrokenNode? {
    get {
      if mistake != .silentLink { keyValueRegistrar.access("next", of: self) }
      return storedNext
    }
    set {
      keyValueRegistrar.set(
        "next", of: self, to: newValue, read: { storedNext }, write: { storedNext = $0 })
    }
  }
}
