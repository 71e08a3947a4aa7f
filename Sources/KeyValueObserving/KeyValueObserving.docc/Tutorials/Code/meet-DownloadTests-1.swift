import KeyValueObservingTesting
import Testing

@testable import Downloads

struct DownloadTests {
  @Test func progressFollowsReceivedBytes() {
    let download = Download(name: "map", size: 200)
    expectChanges(
      of: \.progress, on: download, [.setting(from: 0, to: 50), .setting(from: 50, to: 100)]
    ) {
      download.received = 100
      download.received = 200
    }
  }
}
