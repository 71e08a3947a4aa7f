import CGtk

/// A connection of a closure to a signal of a GObject.
///
/// The connection lasts until `disconnect()` or until the GObject is finalized. It does not retain
/// the GObject.
@MainActor
public struct SignalConnection {
  fileprivate let object: UnsafeMutableRawPointer
  fileprivate let identifier: gulong

  /// Removes the closure from the signal.
  ///
  /// Call it once, while the GObject exists.
  public func disconnect() {
    g_signal_handler_disconnect(object, identifier)
  }
}

/// Calls a closure whenever a GObject emits a signal.
///
/// - Parameters:
///   - signal: The signal's name, such as "map" or "notify::upper". Its arguments are not passed on.
///   - object: The GObject that emits it.
///   - order: Whether the closure is called before or after the handlers that are connected without
///     an order, GTK's own among them.
///   - handler: The closure, which the connection retains.
/// - Returns: The connection, which ends when it is disconnected.
@MainActor @discardableResult
public func connect(
  _ signal: String, of object: UnsafeMutableRawPointer, _ order: SignalOrder = .asConnected,
  handler: @escaping @MainActor () -> Void
) -> SignalConnection {
  let context = Unmanaged.passRetained(SignalHandler(handler)).toOpaque()
  let closure = g_closure_new_simple(guint(MemoryLayout<GClosure>.size), context)!
  g_closure_add_finalize_notifier(closure, context) { context, _ in
    Unmanaged<SignalHandler>.fromOpaque(context!).release()
  }
  g_closure_set_marshal(closure) { closure, _, _, _, _, _ in
    let handler = Unmanaged<SignalHandler>.fromOpaque(closure!.pointee.data).takeUnretainedValue()
    MainActor.assumeIsolated { handler.body() }
  }
  let identifier = g_signal_connect_closure(object, signal, closure, order == .last ? 1 : 0)
  return SignalConnection(object: object, identifier: identifier)
}

/// When a handler of a signal is called, compared with other handlers.
public enum SignalOrder: Sendable {
  /// In the order in which the handlers are connected.
  case asConnected
  /// After all handlers that are connected in order.
  case last
}

/// Keeps the closure of a connection.
private final class SignalHandler: Sendable {
  let body: @MainActor () -> Void

  init(_ body: @escaping @MainActor () -> Void) {
    self.body = body
  }
}
