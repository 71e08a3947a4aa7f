import Foundation
import KeyValueObservingFoundation

extension UserDefaults {
  var exampleTheme: String? {
    get { string(forKey: "exampleTheme") }
    set { set(newValue, forKey: "exampleTheme") }
  }
}

final class PreferencesController: NSObject, NSKeyValueObserving {
  private let keys = ["exampleTheme", "exampleSize"]
  var lines: [String] = []

  override init() {
    super.init()
    keys.forEach { key in
      UserDefaults.standard.addObserver(self, forKeyPath: key, options: .new, context: nil)
    }
  }

  deinit {
    keys.forEach { UserDefaults.standard.removeObserver(self, forKeyPath: $0) }
  }

  func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    guard let keyPath = keyPath, let change = change else { return }
    switch keyPath {
    case "exampleTheme":
      lines.append("theme \(change[.newKey] as? String ?? "none")")
    case "exampleSize":
      lines.append("size \(change[.newKey] as? Int ?? -1)")
    default:
      break
    }
  }
}

enum PreferencesExample {
  static func run() -> [String] {
    let controller = PreferencesController()
    let defaults = UserDefaults.standard
    let token = defaults.observe(\.exampleTheme, options: [.new]) { defaults, _ in
      controller.lines.append("typed \(defaults.exampleTheme ?? "none")")
    }
    defaults.exampleTheme = "dark"
    defaults.set(12, forKey: "exampleSize")
    token.invalidate()
    defaults.removeObject(forKey: "exampleSize")
    defaults.removeObject(forKey: "exampleTheme")
    UserDefaults.standard.defaults.removePersistentDomain(forName: "example")
    return controller.lines
  }
}
