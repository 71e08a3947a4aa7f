/// Where a test calls the kit: failures are shown there.
struct CallSite {
  let fileID: StaticString
  let filePath: StaticString
  let line: UInt
  let column: UInt
}
