import Foundation

/// A value that distinguishes two saves of a file without reading it.
///
/// The inode changes when an editor replaces the file, the times and the size when it writes in
/// place, the time of the last status change even when it sets the others back.
struct FileStamp: Equatable {
  private var device: UInt64 = 0
  private var inode: UInt64 = 0
  private var size: Int64 = 0
  private var times: [Int] = []

  init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(truncatingIfNeeded: status.st_ino)
    size = Int64(status.st_size)
    #if canImport(Darwin)
      let (modified, changed) = (status.st_mtimespec, status.st_ctimespec)
    #else
      let (modified, changed) = (status.st_mtim, status.st_ctim)
    #endif
    times = [modified, changed].flatMap { [Int($0.tv_sec), Int($0.tv_nsec)] }
  }
}
