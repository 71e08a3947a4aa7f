import Foundation
import KeyValueObservingFoundation
import KeyValueObservingTesting
import Testing
import TestSupport

// Defaults that are registered, or notifications of Foundation, reach the observers of all suites.
@Suite("Observable user defaults", .serialized)
struct UserDefaultsTests {
  let suite = DefaultsSuite()
  var defaults: ObservableUserDefaults { suite.defaults }

  @Test("P1, P2: a key is observed by typed key path, by string and by a classic observer")
  func surfaces() throws {
    let lines = Lines()
    let screen = Screen()
    let token = defaults.observe(\.theme, options: [.old, .new]) { lines.add("typed", $1) }
    let other = try defaults.observe("theme", options: [.old, .new]) { lines.add("string", $1) }
    let last = try defaults.onChange("theme") { lines.add("onChange") }
    defaults.addObserver(screen, forKeyPath: "theme", options: [.initial, .old, .new])
    defaults.theme = "dark"
    defaults.set("light", forKey: "theme")
    defaults.theme = nil
    defaults.removeObserver(screen, forKeyPath: "theme")
    #expect(
      lines.take() == [
        "typed: kind 1, new dark, old null", "string: kind 1, new dark, old null", "onChange",
        "typed: kind 1, new light, old dark", "string: kind 1, new light, old dark", "onChange",
        "typed: kind 1, new null, old light", "string: kind 1, new null, old light", "onChange",
      ])
    #expect(
      screen.take() == [
        "theme: kind 1, new null", "theme: kind 1, new dark, old null",
        "theme: kind 1, new light, old dark", "theme: kind 1, new null, old light",
      ])
    withExtendedLifetime((token, other, last)) {}
  }

  @Test("P21: a property that is computed with a typed getter changes with the key that it reads")
  func computed() {
    let lines = Lines()
    let token = defaults.observe(\.isLarge, options: [.old, .new]) { lines.add("isLarge", $1) }
    defaults.set(20, forKey: "size")
    defaults["size"] = 3.5
    #expect(
      lines.take() == [
        "isLarge: kind 1, new true, old false", "isLarge: kind 1, new false, old true",
      ])
    withExtendedLifetime(token) {}
  }

  @Test("P42: a URL is read as it was set, and delivered")
  func url() {
    let (home, root) = (URL(fileURLWithPath: "/home/ada"), URL(fileURLWithPath: "/"))
    var changes: [[URL?]] = []
    let token = defaults.observe(\.home, options: [.old, .new]) { _, change in
      changes.append([change.oldValue!, change.newValue!])
    }
    #expect(defaults.home == nil)
    #expect(defaults["home", default: root] == root)
    defaults.home = home
    #expect(defaults.home == home)
    #expect(defaults["home", default: root] == home)
    defaults.home = nil
    #expect(defaults.home == nil)
    #expect(changes == [[nil, home], [home, nil]])
    withExtendedLifetime(token) {}
  }

  @Test("P42: nil removes a value, also where the compiler takes it for the nil of a URL")
  func nilURL() throws {
    let lines = Lines()
    defaults.set(1, forKey: "home")
    let token = try defaults.observe("home", options: .new) { lines.add("home", $1) }
    defaults.set(nil, forKey: "home")
    defaults.set(URL(fileURLWithPath: "/"), forKey: "home")
    defaults.set(nil as URL?, forKey: "home")
    #expect(
      lines.take() == ["home: kind 1, new null", "home: kind 1, new /", "home: kind 1, new null"])
    withExtendedLifetime(token) {}
  }

  @Test("P42: the URL of what is no file is read as it was set, by Foundation as well")
  func urlOfNoFile() throws {
    let plain = defaults.defaults
    let (site, other) = (
      try #require(URL(string: "https://ada@example.org:80/a%20b?c=d#e")),
      try #require(URL(string: "mailto:ada@example.org"))
    )
    var changes: [[URL?]] = []
    let token = defaults.observe(\.home, options: [.old, .new]) { _, change in
      changes.append([change.oldValue!, change.newValue!])
    }
    defaults.home = site
    #expect(defaults.home == site)
    #expect(plain.url(forKey: "home") == site)
    defaults.set(other, forKey: "home")
    #expect(defaults.url(forKey: "home") == other)
    #expect(plain.url(forKey: "home") == other)
    try defaults.setValue(site, forKey: "home")
    #expect(changes == [[nil, site], [site, other], [other, site]])
    let isRolledBack: ()? = try? withKeyValueTransaction {
      defaults.home = nil
      throw CancellationError()
    }
    #expect(isRolledBack == nil)
    #expect(defaults.home == site)
    withExtendedLifetime(token) {}
  }

  @Test("P6, P7: a key with dots is a key path as a string, and is observed through a property")
  func dots() throws {
    let lines = Lines()
    let token = defaults.observe(\.volume, options: [.old, .new]) { lines.add("volume", $1) }
    defaults.set(3, forKey: "player.volume")
    defaults.volume = 4
    #expect(
      lines.take() == ["volume: kind 1, new 3, old null", "volume: kind 1, new 4, old 3"])
    #expect(try defaults.value(forKeyPath: "player.volume") == nil)
    withExtendedLifetime(token) {}
  }

  @Test("P11: all instances of a suite share its values, and all their observers are notified")
  func instances() throws {
    let lines = Lines()
    let other = try #require(ObservableUserDefaults(suiteName: suite.name))
    let token = defaults.observe(\.theme, options: [.old, .new]) { lines.add("one", $1) }
    let otherToken = other.observe(\.theme, options: [.old, .new]) { lines.add("other", $1) }
    other.theme = "dark"
    defaults.theme = "light"
    #expect(other.theme == "light")
    #expect(
      lines.take().sorted() == [
        "one: kind 1, new dark, old null", "one: kind 1, new light, old dark",
        "other: kind 1, new dark, old null", "other: kind 1, new light, old dark",
      ])
    withExtendedLifetime((token, otherToken)) {}
  }

  @Test(
    "P24: an observer of one instance reads the new value from all instances, in every callback")
  func newValueEverywhere() throws {
    let lines = Lines()
    let other = try #require(ObservableUserDefaults(suiteName: suite.name))
    let instances = [defaults, other]
    let tokens = instances.map { instance in
      instance.observe(\.theme, options: .prior) { _, change in
        lines.add("\(change.isPrior) \(instances.map { $0.theme ?? "nil" })")
      }
    }
    defaults.theme = "dark"
    let (before, after) = (#"true ["nil", "nil"]"#, #"false ["dark", "dark"]"#)
    #expect(lines.take() == [before, before, after, after])
    withExtendedLifetime(tokens) {}
  }

  @Test("P11: what plain user defaults have stored is delivered when the store is synchronized")
  func changesByOthers() throws {
    let lines = Lines()
    let plain = try #require(UserDefaults(suiteName: suite.name))
    defaults.theme = "dark"
    let token = defaults.observe(\.theme, options: [.old, .new]) { lines.add("theme", $1) }
    let computed = defaults.observe(\.isLarge, options: [.old, .new]) { lines.add("isLarge", $1) }
    plain.set("light", forKey: "theme")
    plain.set(20, forKey: "size")
    #expect(defaults.theme == "light")
    defaults.synchronize()
    defaults.synchronize()
    #expect(
      lines.take() == [
        "isLarge: kind 1, new true, old false", "theme: kind 1, new light, old dark",
      ])
    withExtendedLifetime((token, computed)) {}
  }

  @Test("P8: after the notification of Foundation the changes are delivered where it is posted")
  func notification() throws {
    let lines = Lines()
    defaults.theme = "dark"
    let token = defaults.observe(\.theme, options: [.old, .new]) { lines.add("theme", $1) }
    UserDefaults.standard.removePersistentDomain(forName: suite.name)
    #expect(lines.take() == ["theme: kind 1, new null, old dark"])
    withExtendedLifetime(token) {}
  }

  @Test("P2: a registered default is the value of a key without one, before and after it is set")
  func registration() {
    let lines = Lines()
    // Registered for the whole process.
    let (key, setKey) = ("registered-\(suite.name)", "set-\(suite.name)")
    let tokens = [key, setKey].map {
      try? defaults.observe($0, options: [.old, .new]) { lines.add("key", $1) }
    }
    defaults.set("dark", forKey: setKey)
    #expect(lines.take() == ["key: kind 1, new dark, old null"])
    defaults.register(defaults: [key: 7, setKey: "none"])
    #expect(lines.take() == ["key: kind 1, new 7, old null"])
    #expect(defaults.integer(forKey: key) == 7)
    defaults.set(8, forKey: key)
    defaults.removeObject(forKey: key)
    #expect(lines.take() == ["key: kind 1, new 8, old 7", "key: kind 1, new 7, old 8"])
    withExtendedLifetime(tokens) {}
  }

  @Test("P42: the getters convert as those of Foundation do")
  func getters() throws {
    let plain = try #require(UserDefaults(suiteName: suite.name))
    let values: [Any?] = [
      nil, 5, -1, 2.5, Float(1.5), true, false, "12.7 apples", "YES", "~/a", Data([1]),
      Date(timeIntervalSince1970: 1), ["a", "b"], ["a": 1], [1, "b"] as [Any], UInt8(3),
    ]
    for value in values {
      plain.set(value, forKey: "key")
      #expect(defaults.string(forKey: "key") == plain.string(forKey: "key"))
      #expect(defaults.integer(forKey: "key") == plain.integer(forKey: "key"))
      #expect(defaults.float(forKey: "key") == plain.float(forKey: "key"))
      #expect(defaults.double(forKey: "key") == plain.double(forKey: "key"))
      #expect(defaults.bool(forKey: "key") == plain.bool(forKey: "key"))
      #expect(defaults.data(forKey: "key") == plain.data(forKey: "key"))
      #expect(defaults.stringArray(forKey: "key") == plain.stringArray(forKey: "key"))
      #expect(defaults.array(forKey: "key")?.count == plain.array(forKey: "key")?.count)
      #expect(defaults.dictionary(forKey: "key")?.count == plain.dictionary(forKey: "key")?.count)
      // Foundation stops the program for data that is no archive.
      if !(value is Data) {
        #expect(defaults.url(forKey: "key") == plain.url(forKey: "key"))
      }
    }
    defaults.set(Data([1]), forKey: "key")
    #expect(defaults.url(forKey: "key") == nil)
    let url = URL(fileURLWithPath: "/tmp/a b")
    defaults.set(url, forKey: "key")
    #expect(defaults.url(forKey: "key") == url)
    #expect(plain.url(forKey: "key") == url)
  }

  @Test("P42: the subscript converts without loss, and stores raw values")
  func subscripts() {
    defaults["size"] = 3
    #expect(defaults["size"] as Double? == 3)
    #expect(defaults["size"] as Int8? == 3)
    #expect(defaults["size"] as String? == nil)
    #expect(defaults["other", default: 4] == 4)
    defaults["other", default: 4] += 1
    #expect(defaults["other", default: 0] == 5)
    defaults["side"] = Side.right
    #expect(defaults.string(forKey: "side") == "right")
    #expect(defaults["side"] as Side? == .right)
    defaults["side"] = Optional<Side>.none
    #expect(defaults.object(forKey: "side") == nil)
  }

  @Test("P42: key-value coding reads and writes the same values")
  func coding() throws {
    try defaults.setValue("dark", forKey: "theme")
    #expect(try defaults.value(forKey: "theme") as? String == "dark")
    #expect(defaults.theme == "dark")
    try defaults.setValue(nil, forKey: "theme")
    #expect(defaults.theme == nil)
  }

  @Test(
    "P42, P69: key-value coding refuses what cannot be stored, and sets none of several values then"
  )
  func unsupported() throws {
    #expect(throws: KeyValueCodingError.self) {
      try defaults.setValues(["size": 1, "state": Lines()])
    }
    #expect(defaults.object(forKey: "size") == nil)
    #expect(throws: KeyValueCodingError.self) { try defaults.setValue([Lines()], forKey: "state") }
    #expect(defaults.object(forKey: "state") == nil)
  }

  @Test(
    "P11, P48: a set by an observer of one instance is delivered to others behind the first one")
  func setInCallback() {
    let lines = Lines()
    let other = ObservableUserDefaults(suiteName: suite.name)!
    defaults.theme = "a"
    let tokens = [
      other.observe(\.theme) { other, _ in if other.theme == "b" { other.theme = "c" } },
      defaults.observe(\.theme, options: [.old, .new]) { lines.add("theme", $1) },
    ]
    defaults.theme = "b"
    #expect(
      lines.take() == ["theme: kind 1, new b, old a", "theme: kind 1, new c, old b"])
    other.theme = "b"
    #expect(
      lines.take() == ["theme: kind 1, new b, old c", "theme: kind 1, new c, old b"])
    withExtendedLifetime(tokens) {}
  }

  @Test("P33: an observation ends with its instance, and others go on")
  func deallocation() throws {
    let lines = Lines()
    var instance = ObservableUserDefaults(suiteName: suite.name)
    let observer = instance.map {
      KeyValueObserver(source: $0, keyPath: \.theme, options: .new) { change, reason in
        lines.add("\(change.newValue.flatMap(\.self) ?? "nil") \(reason)")
      }
    }
    defaults.theme = "dark"
    instance = nil
    defaults.theme = "light"
    #expect(lines.take() == ["dark valueChanged", "nil sourceDeleted"])
    withExtendedLifetime(observer) {}
  }

  @Test("P38: instances on many threads deliver each set once, and the last value is the store's")
  func threads() async throws {
    let name = suite.name
    let counts = Guarded(0)
    let lasts = Guarded<Int?>(nil)
    let token = defaults.observe(\.size, options: .new, isolation: nil) { _, change in
      counts.withLock { $0 += 1 }
      lasts.withLock { $0 = change.newValue ?? nil }
    }
    await withTaskGroup { group in
      for thread in 0..<4 {
        group.addTask {
          for value in 0..<100 {
            ObservableUserDefaults(suiteName: name)?.size = thread * 100 + value
          }
        }
      }
    }
    #expect(counts.withLock(\.self) == 400)
    #expect(lasts.withLock(\.self) == defaults.size)
    defaults.synchronize()
    #expect(counts.withLock(\.self) == 400)
    withExtendedLifetime(token) {}
  }

  @Test("P38: reading, registering and synchronizing race with sets by others without losing one")
  func races() async throws {
    let (name, plain) = (suite.name, try #require(UserDefaults(suiteName: suite.name)))
    nonisolated(unsafe) let store = plain
    let lasts = Guarded<Int?>(nil)
    let token = defaults.observe(\.size, options: .new, isolation: nil) { _, change in
      lasts.withLock { $0 = change.newValue ?? nil }
    }
    await withTaskGroup { group in
      group.addTask { for value in 0..<200 { store.set(value, forKey: "size") } }
      for _ in 0..<2 {
        group.addTask {
          for _ in 0..<50 {
            let defaults = ObservableUserDefaults(suiteName: name)
            let token = defaults?.observe(\.size, isolation: nil) { _, _ in }
            defaults?.synchronize()
            withExtendedLifetime(token) {}
          }
        }
      }
    }
    defaults.synchronize()
    #expect(defaults.size == 199)
    #expect(lasts.withLock(\.self) == 199)
    withExtendedLifetime(token) {}
  }

  @Test(
    "user defaults pass the checks of the conformance kit", arguments: KeyValueConformanceCheck.all)
  func conformance(check: KeyValueConformanceCheck) {
    var suites: [DefaultsSuite] = []
    for surface in [KeyValueConformanceSurface.closure, .observer] {
      check.expect(
        of: KeyValueConformanceSource(key: "theme", values: ("a", "b", "c"), surface: surface) {
          // Objects of one suite share their values.
          let suite = DefaultsSuite()
          suites.append(suite)
          return ObservableUserDefaults(suiteName: suite.name)!
        })
    }
  }
}

extension ObservableUserDefaults {
  fileprivate var theme: String? {
    get { self["theme"] }
    set { self["theme"] = newValue }
  }

  fileprivate var size: Int? {
    get { self["size"] }
    set { self["size"] = newValue }
  }

  fileprivate var volume: Int? {
    get { self["player.volume"] }
    set { self["player.volume"] = newValue }
  }

  fileprivate var home: URL? {
    get { self["home"] }
    set { self["home"] = newValue }
  }

  fileprivate var isLarge: Bool { integer(forKey: "size") > 10 }
}

private enum Side: String { case left, right }
