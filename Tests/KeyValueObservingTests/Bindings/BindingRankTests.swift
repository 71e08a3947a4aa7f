import KeyValueObserving
import Testing

@KeyValueObservable
private final class Member {
  var first = "Ada"
  var last = "Lovelace"
  var full: String { first + " " + last }
}

@KeyValueObservable
private final class Club {
  var member = Member()
  var selection: Member?
  var note = ""
}

@KeyValueObservable
private final class Field {
  var text = ""
  var number = 0
}

@KeyValueObservable
private final class Line {
  var price = 1
}

@KeyValueObservable
private final class Order {
  var lines = [Line(), Line()]
  var total: Int { lines.reduce(0) { $0 + $1.price } }
}

private struct Size: Equatable {
  var width = 0
  var height = 0
}

@KeyValueObservable
private final class Box {
  var x = 0
  var width = 10
  var right: Int {
    get { x + width }
    set { width = newValue - x }
  }
  var size = Size()
}

/// Which of several sets in one transaction a binding writes, where a value comes from several keys.
@Suite("Bindings of values that have several inputs")
struct BindingRankTests {
  private let field = Field()
  private let other = Field()

  @Test("P63, P65: a set of another input takes nothing back that was set in a bound field")
  func computedSource() {
    let member = Member()
    let bindings = [
      member.bind(\.full, to: other, \.text, .oneWay), member.bind(\.first, to: field, \.text),
    ]
    withKeyValueTransaction {
      field.text = "Grace"
      member.last = "Hopper"
    }
    #expect(member.first == "Grace" && field.text == "Grace" && other.text == "Grace Hopper")
    withExtendedLifetime(bindings) {}
  }

  @Test("P63, P65: nor is that of a path to a computed key, or of an object in a collection")
  func pathsToInputs() throws {
    let club = Club()
    let bindings = [
      club.bind(\.member.full, to: other, \.text, .oneWay),
      club.member.bind(\.first, to: field, \.text),
    ]
    withKeyValueTransaction {
      field.text = "Grace"
      club.member.last = "Hopper"
    }
    #expect(club.member.full == "Grace Hopper" && other.text == "Grace Hopper")
    let order = Order()
    let others = [
      order.bind(\.total, to: other, \.number, .oneWay),
      order.lines[0].bind(\.price, to: field, \.number),
    ]
    withKeyValueTransaction {
      field.number = 5
      order.lines[1].price = 3
    }
    #expect(order.lines[0].price == 5 && field.number == 5 && other.number == 8)
    withKeyValueTransaction {
      field.number = 6
      order.lines.append(Line())
    }
    #expect(order.lines[0].price == 6 && field.number == 6 && other.number == 10)
    withExtendedLifetime((bindings, others)) {}
  }

  @Test("P63, P65: a computed property with a setter and its inputs agree with their fields")
  func computedTarget() {
    let (box, last) = (Box(), Field())
    let bindings = [
      box.bind(\.x, to: field, \.number), box.bind(\.right, to: other, \.number),
      box.bind(\.width, to: last, \.number),
    ]
    withKeyValueTransaction {
      field.number = 7
      box.width = 4
    }
    #expect(box.x == 7 && box.width == 4 && field.number == 7)
    #expect(other.number == 11 && last.number == 4)
    withKeyValueTransaction {
      field.number = 5
      other.number = 20
    }
    #expect(box.x == 5 && field.number == 5)
    #expect(box.right == other.number && box.width == last.number)
    withExtendedLifetime(bindings) {}
  }

  @Test("P63, P67, P68: a binding that is made in a transaction is no set of its first side")
  func madeInTransaction() {
    let member = Member()
    var bindings = [member.bind(\.first, to: field, \.text)]
    withKeyValueTransaction {
      field.text = "Grace"
      bindings.append(member.bind(\.first, to: other, \.text))
    }
    #expect(member.first == "Grace" && field.text == "Grace" && other.text == "Grace")
    let (group, shown) = (KeyValueBindingGroup<Member>(), Field())
    group.bind(\.first, to: shown, \.text)
    withKeyValueTransaction {
      field.text = "Mary"
      group.source = member
    }
    #expect(member.first == "Mary" && field.text == "Mary" && shown.text == "Mary")
    withExtendedLifetime((bindings, group)) {}
  }

  @Test("P63, P67: an object that is replaced takes nothing back that was set in its field")
  func replacedObject() throws {
    let (club, member) = (Club(), Member())
    let bindings = [
      try club.bind(\.selection?.first, to: other, \.text),
      member.bind(\.first, to: field, \.text),
    ]
    withKeyValueTransaction {
      field.text = "Grace"
      club.selection = member
    }
    #expect(member.first == "Grace" && field.text == "Grace" && other.text == "Grace")
    withExtendedLifetime(bindings) {}
  }

  @Test("P64: undo keeps sides equal where a history records only the key that leads to one")
  func undo() throws {
    let (club, member) = (Club(), Member())
    let history = KeyValueHistory(of: club)
    let binding = try club.bind(\.selection?.first, to: club, \.note)
    club.selection = member
    club.note = "Grace"
    #expect(member.first == "Grace")
    try history.undo()
    #expect(member.first == "Ada" && club.note == "Ada")
    withExtendedLifetime(binding) {}
  }

  @Test("P63, P65: a whole structure is written where a binding has written a part of it")
  func wholeAndPart() {
    let (view, middle, frame) = (Box(), Box(), Box())
    let bindings = [
      view.bind(\.size.width, to: frame, \.size.width), view.bind(\.size, to: middle, \.size),
      middle.bind(\.size, to: frame, \.size),
    ]
    let size = Size(width: 5, height: 6)
    view.size = size
    #expect(view.size == size && middle.size == size && frame.size == size)
    withExtendedLifetime(bindings) {}
  }

  @Test("P52, P65: a side whose set was rolled back passes on what is written to it")
  func rolledBackSide() throws {
    struct Refusal: Error {}
    let (club, member) = (Club(), Member())
    let bindings = [
      try club.bind(\.selection?.first, to: club, \.note),
      club.bind(\.note, to: field, \.text),
      field.bind(\.text, to: member, \.first),
    ]
    club.note = "Grace"
    #expect(member.first == "Grace")
    withKeyValueTransaction {
      club.note = "Mary"
      try? withKeyValueTransaction {
        field.text = "Ann"
        throw Refusal()
      }
      club.selection = member
    }
    #expect(club.note == "Mary" && field.text == "Mary" && member.first == "Mary")
    withExtendedLifetime(bindings) {}
  }

  @Test("P65: a ring through a computed property ends")
  func ring() {
    let (box, end) = (Box(), Box())
    let bindings = [
      box.bind(\.right, to: end, \.x, .oneWay), end.bind(\.x, to: box, \.x),
    ]
    let reported = reportedIdentifiers { box.width = 3 }
    #expect(reported == [])
    #expect(end.x == box.x)
    withExtendedLifetime(bindings) {}
  }

  @Test("P65: a side that has the value of a later set already does not pass that on")
  func agreeingSide() {
    let (box, last) = (Box(), Field())
    let half = KeyValueConverter<Int, Int>(to: { $0 / 2 }, from: { $0 * 2 })
    let bindings = [
      box.bind(\.x, to: field, \.number, converting: half),
      field.bind(\.number, to: other, \.number),
    ]
    // As each set would alone.
    withKeyValueTransaction {
      box.x = 3
      other.number = 1
    }
    #expect(box.x == 3 && field.number == 1)
    bindings.forEach { $0.invalidate() }
    let others = [
      box.bind(\.x, to: last, \.number, .oneWay, converting: { $0 / 2 }),
      box.bind(\.width, to: box, \.x),
    ]
    withKeyValueTransaction {
      box.x = 2
      last.number = 2
      box.width = 2
    }
    #expect(box.x == 2 && last.number == 2)
    withKeyValueTransaction {
      box.width = 6
      last.number = 1
    }
    #expect(box.x == 6 && last.number == 1)
    withExtendedLifetime(others) {}
  }

  @Test("P65, P66: nor does one that keeps its value because the set is not converted")
  func unconvertedSide() {
    let (box, last) = (Box(), Field())
    let even = KeyValueConverter<Int, Int>(to: { $0.isMultiple(of: 2) ? $0 : nil }, from: { $0 })
    let bindings = [
      box.bind(\.x, to: field, \.number, converting: even),
      field.bind(\.number, to: other, \.number),
      box.bind(\.x, to: last, \.number, .oneWay),
    ]
    let reported = reportedIdentifiers {
      withKeyValueTransaction {
        box.x = 1
        other.number = 0
      }
    }
    #expect(reported == ["unconvertedBoundValue"])
    #expect(box.x == 1 && last.number == 1 && field.number == 0 && other.number == 0)
    withExtendedLifetime(bindings) {}
  }
}
