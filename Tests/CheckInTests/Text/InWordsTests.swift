import CheckIn
import Testing

@Suite struct InWordsTests {
  @Test(arguments: [
    ([], ""), (["tcp"], "tcp"), (["tcp", "unix"], "tcp and unix"), (["l2cap", "tcp", "unix"], "l2cap, tcp and unix"),
  ])
  func `A list in a sentence has commas, and “and” before the last`(list: [String], words: String) {
    #expect(list.inWords == words)
  }
}
