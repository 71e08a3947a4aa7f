import KeyValueObserving

@KeyValueObservable
final class DownloadList: Sendable {
  var downloads: [Download] = []

  var summary: String {
    downloads.map { "\($0.name) \($0.progress) %" }.joined(separator: ", ")
  }

  @concurrent func run() async {
    for download in downloads {
      while download.progress < 100 { download.received += 100 }
    }
  }
}
