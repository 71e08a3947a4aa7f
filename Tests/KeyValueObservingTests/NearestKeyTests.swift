import KeyValueObservingCore
import Testing

extension AllTests {
  @Suite("The nearest key")
  struct NearestKeyTests {
    @Test(
      "P6: a key is suggested if at most a third of the longer word differs",
      arguments: [
        ("a", "c", false), ("a", "ab", false), ("ab", "ac", false), ("di", "id", true),
        ("A", "a", true),
        ("ag", "age", true), ("aeg", "age", true), ("agee", "age", true), ("size", "sign", false),
        ("titel", "title", true), ("titl", "title", true), ("name", "nmae", true),
      ])
    func isNear(word: String, candidate: String, isNear: Bool) {
      #expect(nearest(to: word, among: [candidate]) == (isNear ? candidate : nil))
    }

    @Test("P6: of several keys the nearest one is suggested")
    func nearestOne() {
      #expect(nearest(to: "titel", among: ["tilde", "title", "total"]) == "title")
    }
  }
}
