/// The source location at which a test calls the kit, where its failures are shown.
struct CallSite {
  let fileID: StaticString
  let filePath: StaticString
  let line: UInt
  let column: UInt
}
