import Foundation
import KeyValueObservingFoundation
import Testing

/// Resets a default and a progress when its level becomes zero.
@KeyValueObservable
private final class Level {
  @KeyValueIgnored let defaults: ObservableUserDefaults
  @KeyValueIgnored let progress = ObservableProgress(totalUnitCount: 10)

  var level = 0 {
    didSet {
      guard level == 0 else { return }
      resetCount += 1
      defaults["state"] = "reset"
      progress.completedUnitCount = 7
    }
  }

  @KeyValueIgnored private(set) var resetCount = 0

  init(_ defaults: ObservableUserDefaults) { self.defaults = defaults }
}

/// Looks for changes by others when its property becomes true.
@KeyValueObservable
private final class Refresher {
  @KeyValueIgnored let defaults: ObservableUserDefaults

  var isFresh = true {
    didSet { if isFresh { defaults.synchronize() } }
  }

  init(_ defaults: ObservableUserDefaults) { self.defaults = defaults }
}

extension UserDefaultsTests {
  @Test("P50: what didSet sets in defaults and a progress has no effect while values are put back")
  func rollback() {
    defaults["state"] = "kept"
    let model = Level(defaults)
    model.progress.completedUnitCount = 2
    try? withKeyValueTransaction {
      model.level = 1
      throw CancellationError()
    }
    #expect(model.level == 0)
    #expect(model.resetCount == 1)
    #expect(defaults.string(forKey: "state") == "kept")
    #expect(model.progress.completedUnitCount == 2)
  }

  @Test("P50: a change by others that didSet finds while a value is put back becomes visible")
  func refreshInRollback() throws {
    defaults["theme"] = "a"
    var values: [String?] = []
    let token = try defaults.observe("theme", options: .new) { _, change in
      values.append(change.newValue as? String)
    }
    let model = Refresher(defaults)
    try? withKeyValueTransaction {
      model.isFresh = false
      UserDefaults(suiteName: suite.name)!.set("b", forKey: "theme")
      throw CancellationError()
    }
    #expect(model.isFresh)
    #expect(defaults.string(forKey: "theme") == "b")
    defaults["theme"] = "c"
    #expect(defaults.string(forKey: "theme") == "c")
    #expect(values.last == "c")
    withExtendedLifetime(token) {}
  }
}
