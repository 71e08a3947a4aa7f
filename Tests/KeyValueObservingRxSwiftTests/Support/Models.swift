#if RxSwift
  import Foundation
  import KeyValueObservingRxSwift
  import RxSwift

  @KeyValueObservable
  final class TestClass: NSObject {
    var pr: String? = "0"
  }

  enum IntEnum: Int { case one, two }
  enum UIntEnum: UInt { case one, two }
  enum Int32Enum: Int32 { case one, two }
  enum UInt32Enum: UInt32 { case one, two }
  enum Int64Enum: Int64 { case one, two }
  enum UInt64Enum: UInt64 { case one, two }

  @KeyValueObservable
  final class HasStrongProperty: NSObject {
    var property: NSObject?
    var frame = CGRect(x: 0, y: 0, width: 100, height: 100)
    var point = CGPoint(x: 3, y: 5)
    var size = CGSize(width: 1, height: 2)
    var intEnum = IntEnum.one
    var uintEnum = UIntEnum.one
    var int32Enum = Int32Enum.one
    var uint32Enum = UInt32Enum.one
    var int64Enum = Int64Enum.one
    var uint64Enum = UInt64Enum.one
    var integer = 1
    var uinteger: UInt = 1
  }

  @KeyValueObservable
  final class HasWeakProperty: NSObject {
    weak var property: NSObject?
  }

  /// The object in a weak property at the end of a path: its class notifies of its deallocation.
  @KeyValueObservable
  final class Leaf: NSObject {
    var name = ""
  }

  @KeyValueObservable
  final class Person {
    var name = ""
    var age = 0
    var boss: Person?
    weak var friend: Person?
    var tags: [String] = []
    var anything: Any?
  }

  extension NSString {
    /// A string that nothing else refers to.
    static func fresh(_ text: String) -> NSString { NSMutableString(string: text) }
  }

  /// The events of a subscription, in order.
  final class Events<Element>: ObserverType {
    private(set) var elements: [Element] = []
    private(set) var error: (any Error)?
    private(set) var isCompleted = false

    /// Lets go of what has been sent.
    func forget() { elements = [] }

    func on(_ event: Event<Element>) {
      switch event {
      case .next(let element): elements.append(element)
      case .error(let error): self.error = error
      case .completed: isCompleted = true
      }
    }
  }

  /// Whether something has been deallocated.
  final class End {
    private(set) var hasCome = false
    private var disposable: (any Disposable)?

    init(of deallocated: Observable<Void>) {
      disposable = deallocated.subscribe(onCompleted: { [weak self] in self?.hasCome = true })
    }
  }
#endif
