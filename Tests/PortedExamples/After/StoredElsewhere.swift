import Foundation
import KeyValueObservingFoundation

final class Engine {
  var volume = 0
  var notes: [String] = []
}

@KeyValueObservable
final class Mixer: NSObject {
  private let engine = Engine()
  var volume: Int {
    get { engine.volume }
    set { withMutation(of: \.volume) { engine.volume = newValue } }
  }

  var note: String {
    get {
      engine.notes.last ?? ""
    }

    set(text) {
      withMutation(of: \.note) {
        guard !text.isEmpty else { return }

        // The text stays.
        engine.notes.append("note: \(text)")
      }
    }
  }

  var balance: Int {
    get { engine.volume / 2 }
    set {
      willChangeValue(for: \.balance)
      engine.volume = newValue * 2
      didChangeValue(for: \.balance)
    }
  }
}

enum StoredElsewhereExample {
  static func run() -> [String] {
    let mixer = Mixer()
    var lines: [String] = []
    let tokens = [
      mixer.observe(\.volume, options: [.old, .new]) { _, change in
        lines.append("\(change.oldValue ?? -1) \(change.newValue ?? -1)")
      },
      mixer.observe(\.note, options: .new) { _, change in lines.append(change.newValue ?? "") },
      mixer.observe(\.balance, options: .new) { _, change in
        lines.append("balance \(change.newValue ?? -1)")
      },
    ]
    mixer.volume = 4
    mixer.note = "loud"
    mixer.balance = 5
    tokens.forEach { $0.invalidate() }
    return lines
  }
}
