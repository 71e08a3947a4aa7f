#if RxSwift
  public import KeyValueObservingCore
  @preconcurrency public import RxSwift

  /// Sends the elements of one subscription to its observer, one at a time.
  @usableFromInline
  final class ElementSender<Element>: @unchecked Sendable {  // RxSwift's observers are thread-safe
    @usableFromInline
    let observer: AnyObserver<Element>
    @usableFromInline
    let serializer = EventSerializer()

    @inlinable
    init(_ observer: AnyObserver<Element>) {
      self.observer = observer
    }

    @inlinable
    func send(_ element: Element) {
      serializer.send(element, to: self) { $0.observer.on(.next($1)) }
    }

    @usableFromInline
    func complete() {
      serializer.send((), to: self) { sender, _ in sender.observer.on(.completed) }
    }
  }
#endif
