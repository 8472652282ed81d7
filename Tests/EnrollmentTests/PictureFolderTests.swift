internal import CheckInCore
internal import Enrollment
internal import EnrollmentCore
internal import Foundation
internal import OpenSSLCryptography
internal import PictureFolder
internal import TestSupport
internal import Testing

@Suite("Pictures on a disk", .timeLimit(.minutes(1)))
struct PictureFolderTests {
  private static let bytes: [UInt8] = [1, 2, 3, 4, 5]
  private let upload = EnrollmentRequest.Upload(digest: OpenSSLCryptography().sha256(bytes.span), size: 5)

  private func mode(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  private func names(_ folder: ProcessFolder) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path("p")).filter { $0.contains("/") }.sorted()
  }

  /// Hands in a whole picture of an account.
  private func keep(_ pictures: PictureFolder, _ account: String) async throws {
    _ = try await pictures.append(PictureFolderTests.bytes, at: 0, to: upload, .passport, account: account)
    try await pictures.keep(PictureFolderTests.bytes, upload, .passport, account: account)
  }

  @Test(
    "Pieces go where the picture ends, also after the program was started again; whole ones are named by content",
    arguments: ["p-0123", "a/../b", "", "..", "=41"])
  func pieces(account: String) async throws {
    try await ProcessFolder.with { folder in
      var pictures = try PictureFolder(folder.path("p"))
      #expect(try await pictures.received(upload, .passport, account: account) == 0)
      #expect(try await pictures.append([1, 2], at: 0, to: upload, .passport, account: account) == 2)
      pictures = try PictureFolder(folder.path("p"))
      #expect(try await pictures.received(upload, .passport, account: account) == 2)
      do throws(PictureStoreError) {
        _ = try await pictures.append([3], at: 1, to: upload, .passport, account: account)
        Issue.record("a piece at another place was taken")
      } catch {
        #expect(error.code == .wrongOffset(2))
      }
      #expect(try await pictures.append([], at: 2, to: upload, .passport, account: account) == 2)
      #expect(try await pictures.append([3, 4, 5], at: 2, to: upload, .passport, account: account) == 5)
      #expect(try await pictures.content(upload, .passport, account: account) == PictureFolderTests.bytes)
      try await pictures.keep(PictureFolderTests.bytes, upload, .passport, account: account)
      // The same picture of the same account is there already.
      #expect(try await pictures.received(upload, .selfie, account: account) == 5)
      try await pictures.keep(PictureFolderTests.bytes, upload, .selfie, account: account)
      let name = PictureFolder.name(of: upload.digest, account: account)
      #expect(try names(folder) == [name] && name.hasSuffix("/\(hexadecimal(upload.digest.bytes)).jpg"))
      #expect(try mode(folder.path("p/\(name)")) == 0o600 && mode(folder.path("p")) == 0o700)
      #expect(await pictures.accounts() == [account])
    }
  }

  @Test("Who knows the hash of another account's picture has nothing of it")
  func othersPictures() async throws {
    try await ProcessFolder.with { folder in
      let pictures = try PictureFolder(folder.path("p"))
      try await keep(pictures, "a")
      #expect(try await pictures.received(upload, .passport, account: "b") == 0)
      await #expect(throws: PictureStoreError.self) {
        try await pictures.append([], at: 5, to: upload, .passport, account: "b")
      }
      await #expect(throws: PictureStoreError.self) { try await pictures.content(upload, .passport, account: "b") }
    }
  }

  @Test("What an account needs no more goes, what it needs and what is on its way stays; of a closed account all goes")
  func prunes() async throws {
    try await ProcessFolder.with { folder in
      let pictures = try PictureFolder(folder.path("p"))
      let other = EnrollmentRequest.Upload(digest: OpenSSLCryptography().sha256([7].span), size: 1000)
      for account in ["a", "b"] { try await keep(pictures, account) }
      _ = try await pictures.append([1], at: 0, to: other, .selfie, account: "a")
      pictures.prune("a", keeping: [upload.digest])
      #expect(try names(folder).count == 3)
      pictures.prune("a", keeping: [other.digest])
      #expect(try await pictures.received(other, .selfie, account: "a") == 1)
      #expect(try await pictures.received(upload, .passport, account: "a") == 0)
      pictures.prune("a", keeping: nil)
      #expect(await pictures.accounts() == ["b"])
      // Removed between two looks at it: what is handed in is written again.
      pictures.prune("b", keeping: [])
      try await pictures.keep(PictureFolderTests.bytes, upload, .passport, account: "b")
      #expect(try await pictures.content(upload, .passport, account: "b") == PictureFolderTests.bytes)
    }
  }

  @Test("Of an account and a kind one picture is on its way: another one takes its place")
  func onePart() async throws {
    try await ProcessFolder.with { folder in
      let pictures = try PictureFolder(folder.path("p"))
      let other = EnrollmentRequest.Upload(digest: OpenSSLCryptography().sha256([7].span), size: 1000)
      _ = try await pictures.append([1], at: 0, to: upload, .passport, account: "a")
      _ = try await pictures.append([1], at: 0, to: upload, .selfie, account: "a")
      _ = try await pictures.append([1], at: 0, to: other, .passport, account: "a")
      #expect(try await pictures.received(upload, .passport, account: "a") == 0)
      #expect(try await pictures.received(upload, .selfie, account: "a") == 1)
      await pictures.discard(other, .passport, account: "a")
      #expect(try names(folder).count == 1)
    }
  }
}
