import KeyValueObserving

@KeyValueObservable
final class Person {
  var name: String
  var age = 0
  var boss: Person?
  weak var friend: Person?
  var tags: [String] = []
  var frame = Frame()
  let home = Home()
  private(set) var sealed = 1
  var note: String? { didSet { noteSets += 1 } }
  @KeyValueIgnored var noteSets = 0
  @KeyValueIgnored var evaluations = 0

  var title: String {
    evaluations += 1
    return "\(name) (\(age))"
  }
  var shout: String { title.uppercased() + name }
  var bossName: String { boss?.name ?? "nobody" }
  var friendName: String? { friend?.name }
  var staffNames: [String] { staff.map(\.name) }
  var tagCount: Int { tags.count }
  var staff: [Person] = []

  @KeyValueDependent(on: "age", "boss.age")
  var declared: Int { hidden() }

  init(_ name: String, boss: Person? = nil) {
    self.name = name
    self.boss = boss
  }

  private func hidden() -> Int { storedElsewhere }
  @KeyValueIgnored var storedElsewhere = 0

  func setSealed(_ value: Int) { sealed = value }
}

@KeyValueObservable
final class Home {
  var city = "Rome"
}

struct Frame: Equatable {
  struct Size: Equatable {
    var width = 0.0
    var height = 0.0
  }
  var size = Size()
}

/// A class with subclasses, one of which overrides a property.
@KeyValueObservable
class Animal {
  var sound = "…"
  var legs = 4
}

@KeyValueObservable
class Dog: Animal {
  var trick: String?
  override var sound: String {
    get { super.sound + "!" }
    set { super.sound = newValue }
  }
}

class Puppy: Dog {}

/// Watches that nothing outlives its test.
final class Canary {
  private let onDeallocation: () -> Void
  init(_ onDeallocation: @escaping () -> Void) { self.onDeallocation = onDeallocation }
  deinit { onDeallocation() }
}
