/// A key path by which a class declares a dependency, taken apart once for each class.
struct DeclaredKeyPath {
  let text: String
  /// The keys, in which `self` stands for the object itself.
  let keys: [String]
  /// The error that the text is by itself, whatever the keys lead to; nil if it is none.
  let malformation: KeyValueCodingError?

  init(_ text: String) {
    self.text = text
    keys = text.split(separator: ".").map(String.init).filter { $0 != "self" }
    if ParsedKeyPath.isKey(text) {
      malformation = nil
      return
    }
    do throws(KeyValueCodingError) {
      _ = try ParsedKeyPath(text)
      malformation = nil
    } catch {
      malformation = error
    }
  }
}
