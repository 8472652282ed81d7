internal import CheckInCore
internal import EnrollmentCore
internal import TestSupport
internal import Testing

/// The client's state machine while a picture is on its way.
@Suite struct EnrollmentUploadTests {
  private let picture = [UInt8](repeating: 5, count: 100_000)

  @Test(
    "A lost upload asks where the server has it, and goes on from there",
    arguments: [0, 32_768, 65_536, 99_999, 100_000])
  func resumes(offset: Int) throws {
    let rig = ClientRig(.enrolled)
    rig.status(.passportPhoto)
    rig.put(.picture(picture))
    rig.answer(.done) { $0.offset = 0 }
    rig.put(.failed(.connection))
    #expect(rig.question == .tryAgain)
    rig.put(.dialog(true))
    #expect(rig.request?.operation == .resume)
    rig.answer(.done) { $0.offset = UInt64(offset) }
    guard case .upload(.passport, _, UInt64(offset), let chunk)? = rig.request else {
      throw RigFailure(outcome: "no piece")
    }
    #expect(chunk.count == min(32_768, 100_000 - offset))
  }

  @Test("A server that has another part is asked again, three times; then the person is")
  func rewinds() {
    let rig = ClientRig(.enrolled)
    rig.status(.passportPhoto)
    rig.put(.picture(picture))
    for _ in 0..<3 {
      rig.answer(.done) { $0.offset = 0 }
      rig.answer(.wrongOffset) { $0.offset = 7 }
      #expect(rig.request?.operation == .resume)
    }
    rig.answer(.done) { $0.offset = 0 }
    rig.answer(.damaged)
    #expect(rig.question == .tryAgain)
  }

  @Test("A server that stands still or runs ahead breaks the protocol", arguments: [0, 5, 32_769, 100_000, UInt64.max])
  func standsStill(offset: UInt64) {
    let rig = ClientRig(.enrolled)
    rig.status(.passportPhoto)
    rig.put(.picture(picture))
    rig.answer(.done) { $0.offset = 0 }
    rig.answer(.done) { $0.offset = offset }
    #expect(rig.outcome == .fault(.malformed))
  }

  @Test(
    "“Too large” and “no picture” are their own messages, here and from the server",
    arguments: [EnrollmentResult.tooLarge, .notAPicture])
  func badPicture(why: EnrollmentResult) {
    let rig = ClientRig(.enrolled)
    rig.status(.selfie)
    rig.put(.pictureRefused(why))
    #expect(rig.question == .picture(why))
    rig.put(.dialog(true))
    #expect(rig.asksPicture == .selfie)
    rig.put(.picture(picture))
    rig.answer(why)
    #expect(rig.question == .picture(why))
    rig.put(.dialog(true))
    rig.put(.picture([UInt8](repeating: 0, count: 10 * 1_048_576 + 1)))
    #expect(rig.question == .picture(.tooLarge) && rig.request == nil, "nothing goes out")
  }
}
