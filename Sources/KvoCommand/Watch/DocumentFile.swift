import Foundation

/// The file with the document.
struct DocumentFile {
  let path: String
  /// The bytes that were read last: a file is read several times while it comes to rest, and parsed
  /// once.
  private var lastBytes: [UInt8]?
  private var lastDocument: Result<JSONObject, CommandError>?

  init(path: String) {
    self.path = path
  }

  var stamp: FileStamp? { FileStamp(path: path) }

  /// Reads the document.
  ///
  /// The error says what is wrong with it and where.
  mutating func read() throws(CommandError) -> JSONObject {
    let bytes = try bytes()
    if let lastDocument, bytes == lastBytes { return try lastDocument.get() }
    let document = Result { () throws(CommandError) in try parse(bytes) }
    (lastBytes, lastDocument) = (bytes, document)
    return try document.get()
  }

  private func parse(_ bytes: [UInt8]) throws(CommandError) -> JSONObject {
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONReader.read(bytes)
    } catch {
      throw .data("\(path): not JSON: \(error).")
    }
    guard case .object(let object) = value else {
      throw .data(
        """
        \(path): the document is \(value.kind), which has no keys to watch. Its outermost value \
        must be an object, { … }.
        """)
    }
    return object
  }

  private func bytes() throws(CommandError) -> [UInt8] {
    var status = stat()
    // Anything else, a pipe say, could be read only once, or would block.
    if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      let isDirectory = status.st_mode & S_IFMT == S_IFDIR
      let kind = isDirectory ? "a directory" : "a pipe or a device"
      throw .noInput("\(path): is \(kind), not a file with a document.")
    }
    guard let file = fopen(path, "rb") else {
      if errno == ENOENT { throw .noInput("\(path): there is no such file.") }
      throw .noInput("\(path): cannot be opened: \(String(cString: strerror(errno))).")
    }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = fread(&buffer, 1, buffer.count, file)
      if count == 0 { break }
      bytes += buffer[..<count]
    }
    if ferror(file) != 0 { throw .noInput("\(path): cannot be read: input error.") }
    return bytes
  }
}
