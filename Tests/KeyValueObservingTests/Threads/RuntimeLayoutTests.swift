import CKeyValueObserving
import Testing

@testable import KeyValueObservingCore

extension AllTests {
  /// Each assumption of the engine about the runtime, as it holds with Swift 6.3.
  ///
  /// With a toolchain for which one of these fails, the engine would corrupt memory: change
  /// `RuntimeLayout` before anything else.
  @Suite("Layout of the runtime")
  struct RuntimeLayoutTests {
    private final class First { var value = 1 }
    private final class Second { var value = 2 }

    private struct Reading<Object: AnyObject> {
      let read: (Object) -> Int
    }

    @Test("with Swift 6.3, a type's metadata begins with its kind")
    func kinds() {
      #expect(RuntimeLayout.kind(of: Int?.self) == RuntimeLayout.Kind.optional)
      #expect(RuntimeLayout.kind(of: First??.self) == RuntimeLayout.Kind.optional)
      #expect(RuntimeLayout.kind(of: Any.self) == RuntimeLayout.Kind.existential)
      #expect(RuntimeLayout.kind(of: AnyObject.self) == RuntimeLayout.Kind.existential)
      #expect(RuntimeLayout.kind(of: (any Error).self) == RuntimeLayout.Kind.existential)
      #expect(
        RuntimeLayout.kind(of: (any Sequence<Int>).self) == RuntimeLayout.Kind.extendedExistential)
      for type in [Int.self, String.self, [Int].self, Range<Int>.self] as [Any.Type] {
        #expect(RuntimeLayout.kind(of: type) == RuntimeLayout.Kind.structure)
      }
      #expect(RuntimeLayout.kind(of: FloatingPointSign.self) == RuntimeLayout.Kind.enumeration)
      #expect(RuntimeLayout.kind(of: Result<Int, any Error>.self) == RuntimeLayout.Kind.enumeration)
      for type in [First.self, AnyClass.self, (any Error).self] as [Any.Type] {
        let kind = RuntimeLayout.kind(of: type)
        #expect(kind != RuntimeLayout.Kind.structure && kind != RuntimeLayout.Kind.enumeration)
      }
      let others: [Any.Type] = [Int.self, String.self, First.self, [Int].self, (Int, Int).self]
      for type in others { #expect(!isExistential(type) && !(type is any OptionalValue.Type)) }
    }

    @Test("with Swift 6.3, an optional of Any ends with the metadata of its value's type, or 0")
    func optionalAny() {
      #expect(MemoryLayout<Any?>.size == 4 * MemoryLayout<UInt>.size)
      #expect(kind(of: nil) == nil)
      #expect(kind(of: Int?.none as Any) == RuntimeLayout.Kind.optional)
      #expect(kind(of: Int?.some(1) as Any) == RuntimeLayout.Kind.optional)
      #expect(kind(of: 1) == RuntimeLayout.kind(of: Int.self))
      #expect(kind(of: "a") == RuntimeLayout.kind(of: String.self))
      #expect(type(of: nil) == nil)
      for value in [1, "a", First(), Int?.none as Any] as [Any] {
        #expect(type(of: value) == Swift.type(of: value))
      }
    }

    @Test("with Swift 6.3, an optional of an optional of Any has the layout of Any")
    func doublyOptionalAny() {
      #expect(MemoryLayout<Any??>.size == MemoryLayout<Any>.size)
      #expect(holdsValue(.some(.some(1))) && holdsValue(.some(.some(First()))))
      #expect(!holdsValue(.some(nil)) && !holdsValue(.none))
    }

    @Test("with Swift 6.3, an optional of Any is copied and destroyed as the Any in it")
    func erasedValues() {
      weak var value: First?
      do {
        let first = First()
        value = first
        let erased: Any? = first
        RuntimeLayout.withMemory { place in
          RuntimeLayout.initialize(place, to: .some(erased))
          let copy = RuntimeLayout.copy(of: place)
          #expect(copy as? First === first)
        }
        withUnsafePointer(to: nil as Any?) { #expect(RuntimeLayout.copy(of: $0) == nil) }
        for nothing in [Any??.none, .some(nil)] {
          RuntimeLayout.withMemory { place in
            RuntimeLayout.initialize(place, to: nothing)
            #expect(place.pointee == nil)
          }
        }
      }
      #expect(value == nil)
      withUnsafePointer(to: "a" as Any?) {
        #expect(RuntimeLayout.value(in: $0, as: String.self) == "a")
      }
      // A value of more than three words is in a box.
      let range = "a long text that is in memory of its own"..<"b"
      RuntimeLayout.withMemory { place in
        RuntimeLayout.initialize(place, to: .some(range))
        #expect(RuntimeLayout.value(in: place, as: Range<String>.self) == range)
        #expect(RuntimeLayout.copy(of: place) as? Range<String> == range)
      }
      withUnsafePointer(to: First() as Any?) {
        #expect(RuntimeLayout.value(in: $0, as: First.self).value == 1)
      }
    }

    @Test("with Swift 6.3, an optional of an optional of Any is copied as the Any in it")
    func doublyOptionalValues() {
      weak var value: First?
      do {
        let first = First()
        value = first
        let copy = RuntimeLayout.copy(ofOptional: .some(.some(first)))
        #expect(copy as? First === first)
        #expect(RuntimeLayout.copy(ofOptional: .some("a")) as? String == "a")
        #expect(RuntimeLayout.copy(ofOptional: .some(nil)).map { $0 == nil } == true)
        #expect(RuntimeLayout.copy(ofOptional: .none) == nil)
        #expect(RuntimeLayout.isOptional(.some(Int?.some(1) as Any)))
        #expect(RuntimeLayout.isOptional(.some(Int?.none as Any)))
        for value in [1, .some(nil), .none] as [Any??] { #expect(!RuntimeLayout.isOptional(value)) }
      }
      #expect(value == nil)
    }

    @Test("with Swift 6.3, a closure is two words, and takes objects of all classes alike")
    func closures() {
      #expect(MemoryLayout<AnyHandler>.size == MemoryLayout<(First) -> Void>.size)
      #expect(MemoryLayout<AnyHandler>.size == 2 * MemoryLayout<UInt>.size)
      let offset = 40
      let reading = Reading<Second> { $0.value + offset }
      let erased = unsafeBitCast(reading, to: Reading<AnyObject>.self)
      #expect(erased.read(Second()) == 42)
    }

    @Test("with Swift 6.3, a closure takes a change of values of any type by its address")
    func closuresOfChanges() {
      #expect(received(from: 1, 2) == [1, 2])
      #expect(received(from: "a", "b") == ["a", "b"])
      #expect(received(from: 1...2, 3...4) == [1...2, 3...4])
      #expect(received(from: SIMD8<Double>(repeating: 1), SIMD8(repeating: 2)).last?[7] == 2)
      #expect(received(from: Int?.none, 2) == [nil, 2])
    }

    /// The values that a closure receives of a change which is passed by its address.
    private func received<Value>(from old: Value, _ new: Value) -> [Value] {
      var received: [Value] = []
      withoutActuallyEscaping({ (_: First, change: KeyValueChange<Value>) in
        received = [change.oldValue!, change.newValue!]
      }) { closure in
        let handler = Handler(closure)
        withUnsafePointer(to: handler) { handler in
          withUnsafePointer(to: KeyValueChange(newValue: new, oldValue: old)) { change in
            UnsafeRawPointer(handler).assumingMemoryBound(to: AddressHandler.self)
              .pointee(First(), change)
          }
        }
      }
      return received
    }

    @Test("with Swift 6.3, no reference leads to an object whose deinitialization has begun")
    func deallocation() {
      final class Probe {
        let report: (Unmanaged<Probe>) -> Void
        init(_ report: @escaping (Unmanaged<Probe>) -> Void) { self.report = report }
        deinit { report(.passUnretained(self)) }
      }
      var answers: [Bool] = []
      let probe = Probe { probe in
        answers.append(kvo_is_deallocating(probe.toOpaque()))
        answers.append(kvo_try_retain(probe.toOpaque()) == nil)
      }
      let address = Unmanaged.passUnretained(probe).toOpaque()
      answers.append(kvo_is_deallocating(address))
      let retained = kvo_try_retain(address)
      answers.append(retained == nil)
      if let retained { Unmanaged<Probe>.fromOpaque(retained).release() }
      #expect(answers == [false, false])
      withExtendedLifetime(probe) {}
      release(consume probe)
      #expect(answers == [false, false, true, true])
    }

    private func release(_: consuming AnyObject) {}

    @Test("with Swift 6.3, an executor is two words, and may be asked whether it runs the code")
    func executors() async {
      #expect(MemoryLayout<UnownedSerialExecutor>.size == MemoryLayout<kvo_executor>.size)
      let main = RuntimeLayout.words(of: MainActor.sharedUnownedExecutor)
      #expect(await MainActor.run { kvo_is_current_executor(main) })
      #expect(await Task.detached { kvo_is_current_executor(main) }.value == false)
      #expect(await Task.detached { kvo_current_task() != nil }.value)
    }

    private func kind(of value: Any?) -> UInt? {
      withUnsafePointer(to: value) { RuntimeLayout.kindOfValue(in: $0) }
    }

    private func type(of value: Any?) -> Any.Type? {
      withUnsafePointer(to: value) { RuntimeLayout.typeOfValue(in: $0) }
    }

    private func holdsValue(_ value: Any??) -> Bool {
      withUnsafePointer(to: value) { RuntimeLayout.holdsValue($0) }
    }
  }
}
