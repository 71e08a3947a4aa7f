#if RxSwift
  import Foundation
  import KeyValueObservingRxSwift
  import RxSwift
  import Testing

  // After RxCocoa's KVOObservableTests, whose tests the functions are named after.
  extension AllTests {
    @Suite("rx.observe of numbers, structures and enumerations")
    struct RetainingObservationTests {
      /// Observes a property that is set once.
      ///
      /// The subscription retains the object until it is disposed.
      private func expect<Value: Equatable>(
        _ type: Value.Type, _ key: String, _ initial: Value, _ final: Value,
        _ change: (HasStrongProperty) -> Void
      ) {
        var root: HasStrongProperty? = HasStrongProperty()
        let events = Events<Value?>()
        let disposable = root!.rx.observe(type, key).subscribe(events)
        let end = End(of: root!.rx.deallocated)
        #expect(events.elements == [initial])
        change(root!)
        #expect(events.elements == [initial, final])
        root = nil
        #expect(events.elements == [initial, final] && !end.hasCome)
        disposable.dispose()
        #expect(end.hasCome && !events.isCompleted)
      }

      @Test("A value of another type is nil, with one diagnostic")
      func testObserve_ObserveCGRectForBiggerStructureDoesntCrashPropertyTypeReturnsNil() async {
        await #expect(processExitsWith: .success) {
          Diagnostics.collect()
          let root = HasStrongProperty()
          let events = Events<CGSize?>()
          let disposable = root.rx.observe(CGSize.self, "frame").subscribe(events)
          root.size = CGSize(width: 56, height: 1)
          root.frame = CGRect(x: 1, y: 0, width: 0, height: 1)
          #expect(events.elements == [nil, nil])
          #expect(Diagnostics.take().count == 1)
          disposable.dispose()
        }
      }

      @Test("A rectangle is observed as itself")
      func testObserve_ObserveCGRect() {
        expect(
          CGRect.self, "frame", CGRect(x: 0, y: 0, width: 100, height: 100),
          CGRect(x: -2, y: 0, width: 0, height: 1)
        ) { $0.frame = CGRect(x: -2, y: 0, width: 0, height: 1) }
      }

      @Test("A size is observed as itself")
      func testObserve_ObserveCGSize() {
        expect(CGSize.self, "size", CGSize(width: 1, height: 2), CGSize(width: 56, height: 1)) {
          $0.size = CGSize(width: 56, height: 1)
        }
      }

      @Test("A point is observed as itself")
      func testObserve_ObserveCGPoint() {
        expect(CGPoint.self, "point", CGPoint(x: 3, y: 5), CGPoint(x: -100, y: 1)) {
          $0.point = CGPoint(x: -100, y: 1)
        }
      }

      @Test("A number is observed as itself")
      func testObserve_ObserveIntegerRepresentable() {
        expect(Int.self, "integer", 1, 2) { $0.integer = 2 }
      }

      @Test("A number without a sign is observed as itself")
      func testObserve_ObserveUIntegerRepresentable() {
        expect(UInt.self, "uinteger", 1, 2) { $0.uinteger = 2 }
      }

      @Test("An enumeration over Int is observed as itself")
      func testObserve_ObserveIntEnum() {
        expect(IntEnum.self, "intEnum", .one, .two) { $0.intEnum = .two }
      }

      @Test("An enumeration over Int32 is observed as itself")
      func testObserve_ObserveInt32Enum() {
        expect(Int32Enum.self, "int32Enum", .one, .two) { $0.int32Enum = .two }
      }

      @Test("An enumeration over Int64 is observed as itself")
      func testObserve_ObserveInt64Enum() {
        expect(Int64Enum.self, "int64Enum", .one, .two) { $0.int64Enum = .two }
      }

      @Test("An enumeration over UInt is observed as itself")
      func testObserve_ObserveUIntEnum() {
        expect(UIntEnum.self, "uintEnum", .one, .two) { $0.uintEnum = .two }
      }

      @Test("An enumeration over UInt32 is observed as itself")
      func testObserve_ObserveUInt32Enum() {
        expect(UInt32Enum.self, "uint32Enum", .one, .two) { $0.uint32Enum = .two }
      }

      @Test("An enumeration over UInt64 is observed as itself")
      func testObserve_ObserveUInt64Enum() {
        expect(UInt64Enum.self, "uint64Enum", .one, .two) { $0.uint64Enum = .two }
      }
    }

    @Suite("rx.observeWeakly of numbers, structures and enumerations")
    struct WeakRepresentationTests {
      /// Observes a property that is set once, until its object is deallocated.
      private func expect<Value: Equatable>(
        _ type: Value.Type, _ key: String, _ initial: Value, _ final: Value,
        _ change: (HasStrongProperty) -> Void
      ) {
        var root: HasStrongProperty? = HasStrongProperty()
        let events = Events<Value?>()
        _ = root!.rx.observeWeakly(type, key).subscribe(events)
        let end = End(of: root!.rx.deallocated)
        #expect(events.elements == [initial])
        change(root!)
        #expect(events.elements == [initial, final])
        root = nil
        #expect(events.elements == [initial, final, nil] && events.isCompleted && end.hasCome)
      }

      @Test("A rectangle is observed as itself")
      func testObserveWeak_ObserveCGRect() {
        expect(
          CGRect.self, "frame", CGRect(x: 0, y: 0, width: 100, height: 100),
          CGRect(x: -2, y: 0, width: 0, height: 1)
        ) { $0.frame = CGRect(x: -2, y: 0, width: 0, height: 1) }
      }

      @Test("A size is observed as itself")
      func testObserveWeak_ObserveCGSize() {
        expect(CGSize.self, "size", CGSize(width: 1, height: 2), CGSize(width: 56, height: 1)) {
          $0.size = CGSize(width: 56, height: 1)
        }
      }

      @Test("A point is observed as itself")
      func testObserveWeak_ObserveCGPoint() {
        expect(CGPoint.self, "point", CGPoint(x: 3, y: 5), CGPoint(x: -100, y: 1)) {
          $0.point = CGPoint(x: -100, y: 1)
        }
      }

      @Test("A number is observed as itself")
      func testObserveWeak_ObserveIntegerRepresentable() {
        expect(Int.self, "integer", 1, 2) { $0.integer = 2 }
      }

      @Test("A number without a sign is observed as itself")
      func testObserveWeak_ObserveUIntegerRepresentable() {
        expect(UInt.self, "uinteger", 1, 2) { $0.uinteger = 2 }
      }

      @Test("An enumeration over Int is observed as itself")
      func testObserveWeak_ObserveIntEnum() {
        expect(IntEnum.self, "intEnum", .one, .two) { $0.intEnum = .two }
      }

      @Test("An enumeration over Int32 is observed as itself")
      func testObserveWeak_ObserveInt32Enum() {
        expect(Int32Enum.self, "int32Enum", .one, .two) { $0.int32Enum = .two }
      }

      @Test("An enumeration over Int64 is observed as itself")
      func testObserveWeak_ObserveInt64Enum() {
        expect(Int64Enum.self, "int64Enum", .one, .two) { $0.int64Enum = .two }
      }

      @Test("An enumeration over UInt is observed as itself")
      func testObserveWeak_ObserveUIntEnum() {
        expect(UIntEnum.self, "uintEnum", .one, .two) { $0.uintEnum = .two }
      }

      @Test("An enumeration over UInt32 is observed as itself")
      func testObserveWeak_ObserveUInt32Enum() {
        expect(UInt32Enum.self, "uint32Enum", .one, .two) { $0.uint32Enum = .two }
      }

      @Test("P42: an enumeration over UInt64 is observed as one over UInt32")
      func testObserveWeak_ObserveUInt64Enum() {
        expect(UInt32Enum.self, "uint64Enum", .one, .two) { $0.uint64Enum = .two }
      }

      @Test("P42: a number is observed as an NSNumber")
      func testObserveWeak_ObserveInt() {
        expect(NSNumber.self, "integer", 1, 10) { $0.integer = 10 }
      }
    }
  }
#endif
