import Foundation

@objc enum TunnelPhase: Int {
  case inactive, activating, active
}

/// A tunnel whose status a view shows.
final class Tunnel: NSObject {
  @objc dynamic var name: String
  @objc dynamic private(set) var phase = TunnelPhase.inactive
  /// Not shown anywhere.
  var attempts = 0, failures = 0
  private lazy var logger = TunnelLog()
  static let maximum = 3

  init(name: String) {
    self.name = name
    super.init()
  }

  func activate() {
    attempts += 1
    phase = .activating
    phase = .active
    logger.lines.append(name)
  }
}

final class TunnelLog {
  var lines: [String] = []
}

/// A view that keeps tokens as objects.
final class TunnelCell {
  private var phaseToken: AnyObject?
  private var tokens: [NSObjectProtocol] = []
  var lines: [String] = []

  func show(_ tunnel: Tunnel) {
    phaseToken = tunnel.observe(\.phase, options: [.initial, .new]) { [weak self] tunnel, change in
      self?.lines.append("\(tunnel.name) \(change.newValue?.rawValue ?? -1)")
    }
    tokens.append(
      tunnel.observe(\.name, options: [.old, .new]) { [weak self] _, change in
        self?.lines.append("\(change.oldValue ?? "") becomes \(change.newValue ?? "")")
      })
  }

  func reset() {
    phaseToken = nil
    tokens.removeAll()
  }
}

enum TunnelExample {
  static func run() -> [String] {
    let tunnel = Tunnel(name: "home")
    let cell = TunnelCell()
    cell.show(tunnel)
    tunnel.activate()
    tunnel.name = "office"
    cell.reset()
    tunnel.name = "none"
    return cell.lines
  }
}
