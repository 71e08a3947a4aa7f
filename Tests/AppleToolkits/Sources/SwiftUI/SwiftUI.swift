// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// A view, as far as closures of its lifecycle are concerned.
@MainActor @preconcurrency
public protocol View {
  associatedtype Body: View
  var body: Body { get }
}

extension Never: View {
  public var body: Never { fatalError("Never is no view.") }
}

/// A view without parts.
public struct Text: View {
  private let text: String

  public init(_ text: String) {
    self.text = text
  }

  public var body: Never { fatalError("A text has no body.") }
}

/// A view with a closure for one of its moments.
struct Modified<Content: View>: View, Modification {
  let content: Content
  let onAppear: (() -> Void)?
  let onDisappear: (() -> Void)?

  var body: Content { content }
}

@MainActor
protocol Modification {
  var onAppear: (() -> Void)? { get }
  var onDisappear: (() -> Void)? { get }
}

extension View {
  public func onAppear(perform action: (() -> Void)? = nil) -> some View {
    Modified(content: self, onAppear: action, onDisappear: nil)
  }

  public func onDisappear(perform action: (() -> Void)? = nil) -> some View {
    Modified(content: self, onAppear: nil, onDisappear: action)
  }

  /// All modifications in the view and in its parts, the outer ones first.
  fileprivate var modifications: [any Modification] {
    let own = (self as? any Modification).map { [$0] } ?? []
    return Body.self == Never.self ? own : own + body.modifications
  }
}

/// Shows a view and hides it.
@MainActor
public struct ViewHost {
  private let modifications: [any Modification]

  public init(_ view: some View) {
    modifications = view.modifications
  }

  public func show() { for modification in modifications { modification.onAppear?() } }

  public func hide() { for modification in modifications { modification.onDisappear?() } }
}
