internal import CheckIn
internal import Enrollment
package import EnrollmentCore
internal import JPEGCropping
internal import Synchronization

/// A camera whose pictures come from files, one after the other.
package final class PictureFiles: EnrollmentCamera {
  private let files: Mutex<[String]>
  private let frame: PictureFrame?
  private let say: @Sendable (String) -> Void
  private let thread = WorkThread()

  /// A camera.
  ///
  /// - Parameters:
  ///   - files: the pictures, in the order in which they are taken.
  ///   - frame: the yellow frame; nil: the usual one of each kind.
  ///   - say: told why a file cannot be read.
  package init(_ files: [String], frame: PictureFrame?, say: @escaping @Sendable (String) -> Void) {
    self.files = Mutex(files)
    self.frame = frame
    self.say = say
  }

  /// The next file, cropped; nil when there is none left, or it cannot be read.
  package func take(_ kind: PictureKind) async -> Result<[UInt8], EnrollmentResult>? {
    guard let file = files.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else {
      say("There is no picture for the \(kind.name). Give one more with --camera FILE, and start again.")
      return nil
    }
    let (frame, say) = (frame ?? .standard(kind), say)
    return await thread.run {
      do throws(FileError) {
        // One byte more than is taken tells a large one from one that just fits, without reading the rest.
        let bytes = try FileReading.readPart(file, what: "picture", limit: EnrollmentLimits.picture + 1)
        guard bytes.count <= EnrollmentLimits.picture else { return .failure(.tooLarge) }
        do throws(EnrollmentResult) {
          return .success(try JPEGCropping().crop(bytes, to: frame).bytes)
        } catch {
          return .failure(error)
        }
      } catch {
        say(error.message)
        return nil
      }
    }
  }
}
