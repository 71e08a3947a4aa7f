#if RxSwift
  import Foundation
  import KeyValueObservingRxSwift
  import RxSwift
  import Testing

  // After RxCocoa's KVOObservableTests, whose tests the functions are named after. `rx.deallocating` is
  // `rx.deallocated` here, and what weak properties hold is observable.
  extension AllTests {
    @Suite("rx.observeWeakly")
    struct WeakObservationTests {
      @Test("P33: its last element is nil, when the object is deallocated")
      func testObserveWeak_SimpleStrongProperty() {
        var object: HasStrongProperty? = HasStrongProperty()
        let events = Events<String?>()
        _ = object!.rx.observeWeakly(String.self, "property").subscribe(events)
        let end = End(of: object!.rx.deallocated)
        #expect(events.elements == [nil] && !end.hasCome)
        object?.property = NSString.fresh("a")
        #expect(events.elements == [nil, "a"] && !end.hasCome)
        object = nil
        #expect(events.elements == [nil, "a", nil] && events.isCompleted && end.hasCome)
      }

      @Test("P33: so it is where the property is weak")
      func testObserveWeak_SimpleWeakProperty() {
        var object: HasWeakProperty? = HasWeakProperty()
        let events = Events<NSObject?>()
        _ = object!.rx.observeWeakly(NSObject.self, "property").subscribe(events)
        let end = End(of: object!.rx.deallocated)
        #expect(events.elements == [nil] && !end.hasCome)
        let leaf = Leaf()
        object?.property = leaf
        #expect(events.elements == [nil, leaf] && !end.hasCome)
        object = nil
        #expect(events.elements == [nil, leaf, nil] && end.hasCome)
      }

      @Test("P25: a path through a weak link into a strong property, observed before")
      func testObserveWeak_ObserveFirst_Weak_Strong_Basic() {
        expectPath(isFirst: true) { HasWeakProperty() }
      }

      @Test("P25: a path through a weak link into a strong property, observed after")
      func testObserveWeak_Weak_Strong_Observe_Basic() {
        expectPath(isFirst: false) { HasWeakProperty() }
      }

      @Test("P25: a path through a strong link into a weak property, observed before")
      func testObserveWeak_ObserveFirst_Strong_Weak_Basic() {
        expectPath(isFirst: true) { HasStrongProperty() }
      }

      @Test("P25: a path through a strong link into a weak property, observed after")
      func testObserveWeak_Strong_Weak_Observe_Basic() {
        expectPath(isFirst: false) { HasStrongProperty() }
      }

      /// Observes `property.property` from an object to one of the other kind.
      private func expectPath<Root: KeyValueObservable & NSObject>(
        isFirst: Bool, from make: () -> Root
      ) {
        var root: Root? = make()
        var middle: NSObject? =
          root is HasWeakProperty ? HasStrongProperty() : HasWeakProperty()
        let leaf = Leaf()
        let events = Events<NSObject?>()
        func subscribe() {
          _ = root!.rx.observeWeakly(NSObject.self, "property.property").subscribe(events)
        }
        if isFirst { subscribe() }
        set(middle, in: root!)
        if isFirst { #expect(events.elements == [nil, nil]) }
        set(leaf, in: middle!)
        if !isFirst { subscribe() }
        let end = End(of: root!.rx.deallocated)
        #expect(events.elements.last == leaf && !end.hasCome)
        root = nil
        middle = nil
        #expect(events.elements.last == .some(nil) && events.isCompleted && end.hasCome)
        withExtendedLifetime(leaf) {}
      }

      private func set(_ value: NSObject?, in object: NSObject) {
        (object as? HasWeakProperty)?.property = value
        (object as? HasStrongProperty)?.property = value
      }

      @Test("P27: the deallocation of a leaf in a weak property is a change to nil")
      func testObserveWeak_Strong_Weak_Observe_NilLastPropertyBecauseOfWeak() {
        let child = HasWeakProperty()
        let events = Events<NSObject?>()
        let root = HasStrongProperty()
        root.property = child
        var leaf: Leaf? = Leaf()
        child.property = leaf
        _ = root.rx.observeWeakly(NSObject.self, "property.property").subscribe(events)
        #expect(events.elements == [leaf])
        let end = End(of: leaf!.rx.deallocated)
        events.forget()
        leaf = nil
        #expect(end.hasCome && child.property == nil)
        #expect(events.elements == [nil])
        withExtendedLifetime(root) {}
      }

      @Test("P27: the deallocation of an object in the middle of a path is a change to nil")
      func testObserveWeak_Weak_Weak_Weak_middle_NilifyCorrectly() {
        let root = HasWeakProperty()
        var middle: HasWeakProperty? = HasWeakProperty()
        let leaf = HasWeakProperty()
        let events = Events<NSObject?>()
        root.property = middle
        middle?.property = leaf
        _ = root.rx.observeWeakly(NSObject.self, "property.property.property").subscribe(events)
        let last = Leaf()
        leaf.property = last
        #expect(events.elements == [nil, last])
        let end = End(of: middle!.rx.deallocated)
        middle = nil
        #expect(end.hasCome && root.property == nil)
        #expect(events.elements == [nil, last, nil])
        withExtendedLifetime((leaf, last)) {}
      }

      @Test("P33: what was there at the beginning is followed by nil at the end")
      func testObserveWeak_TargetDeallocated() {
        var root: HasStrongProperty? = HasStrongProperty()
        root?.property = NSString.fresh("a")
        let events = Events<String?>()
        _ = root!.rx.observeWeakly(String.self, "property").subscribe(events)
        let end = End(of: root!.rx.deallocated)
        root = nil
        #expect(events.elements == ["a", nil] && end.hasCome)
      }

      @Test("P2: without initial it begins with the first change")
      func testObserveWeakWithOptions_ObserveNotInitialValue() {
        var root: HasStrongProperty? = HasStrongProperty()
        root?.property = NSString.fresh("a")
        let events = Events<String?>()
        _ = root!.rx.observeWeakly(String.self, "property", options: .new).subscribe(events)
        #expect(events.elements.isEmpty)
        root?.property = NSString.fresh("b")
        let end = End(of: root!.rx.deallocated)
        root = nil
        #expect(events.elements == ["b", nil] && end.hasCome)
      }

      @Test("P6: a key that does not exist is the error of the stream")
      func testObserveWeak_PropertyDoesntExist() {
        var root: HasStrongProperty? = HasStrongProperty()
        let events = Events<NSNumber?>()
        _ = root!.rx.observeWeakly(NSNumber.self, "notExist").subscribe(events)
        #expect(events.error is KeyValueCodingError && events.elements.isEmpty)
        let end = End(of: root!.rx.deallocated)
        root = nil
        #expect(end.hasCome)
      }

      // RxCocoa ends the stream with an error where the object comes.
      @Test("P6: an object without the key that comes into a link is nil, and the path may lead on")
      func testObserveWeak_HierarchyPropertyDoesntExist() async {
        await #expect(processExitsWith: .success) {
          Diagnostics.collect()
          var root: HasStrongProperty? = HasStrongProperty()
          let events = Events<String?>()
          _ = root!.rx.observeWeakly(String.self, "property.name").subscribe(events)
          // The declared class of the property, NSObject, is not observable.
          _ = Diagnostics.take()
          root?.property = HasStrongProperty()
          root?.property = HasStrongProperty()
          #expect(events.error == nil && events.elements == [nil, nil, nil])
          #expect(Diagnostics.take().count == 1)
          let leaf = Leaf()
          leaf.name = "a"
          root?.property = leaf
          #expect(events.elements.last == "a")
          let end = End(of: root!.rx.deallocated)
          root = nil
          #expect(end.hasCome && events.isCompleted)
        }
      }
    }
  }
#endif
