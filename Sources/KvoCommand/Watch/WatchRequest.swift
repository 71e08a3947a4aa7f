/// What `kvo watch` is asked to do.
struct WatchRequest: Equatable {
  var file: String
  var keyPaths: [String]
  var isJSON = false
  var isOnce = false
}
