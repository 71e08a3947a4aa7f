import CGtk

extension Widget {
  /// Retains an object until the widget is finalized.
  @MainActor
  public func attach(_ object: AnyObject) {
    let context = Unmanaged.passRetained(object).toOpaque()
    let key = "swift-attached-\(UInt(bitPattern: context))"
    g_object_set_data_full(cast(), key, context) { Unmanaged<AnyObject>.fromOpaque($0!).release() }
  }
}
