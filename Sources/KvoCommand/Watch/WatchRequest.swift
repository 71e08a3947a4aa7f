/// The operands and options of `kvo watch`.
struct WatchRequest: Equatable {
  var file: String
  var keyPaths: [String]
  var isJSON = false
  var isOnce = false
}
