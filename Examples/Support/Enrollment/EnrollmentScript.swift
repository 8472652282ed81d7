package import Enrollment
package import EnrollmentCore
internal import Synchronization

/// Answers of a script: lines of text, each of which waits for the screen or question that it is for. So all may be written at
/// once, before the first is wanted.
///
/// `phone +46…`, `code 4711`, `new` (another SMS), `passport AB1234567`, `pin 2580`, `face`, `yes`, `no`, `quit`. An empty line
/// and one with `#` in front mean nothing; any other ends the program with what is wrong with it.
package final class EnrollmentScript: EnrollmentDisplay {
  /// Where the session is, as far as a script cares.
  fileprivate enum Place: Equatable {
    case busy
    case screen(String)
    case dialog
  }

  private struct State {
    var lines: [String] = []
    var place = Place.busy
    var isAtEnd = false
  }

  private let codeComes: Bool
  private let display: any EnrollmentDisplay
  private let post: @Sendable (EnrollmentInput) -> Void
  private let state = Mutex(State())

  /// A script whose answers go to `post`. What is shown goes on to `display`.
  ///
  /// - Parameter codeComes: whether the code of the SMS comes by itself.
  package init(
    showing display: any EnrollmentDisplay, codeComes: Bool, post: @escaping @Sendable (EnrollmentInput) -> Void
  ) {
    self.display = display
    self.codeComes = codeComes
    self.post = post
  }

  /// Shows the screen, and answers if the next line is for it.
  package func show(_ screen: EnrollmentScreen) {
    display.show(screen)
    let place: Place =
      switch screen {
      case .phone, .passportNumber, .code(_, entered: 0), .choosePIN(entered: 0, _), .login(entered: 0):
        .screen(screen.name)
      default: .busy
      }
    state.withLock { $0.place = place }
    answer()
  }

  /// Asks, and answers if the next line is for a question.
  package func ask(_ dialog: EnrollmentDialog) {
    display.ask(dialog)
    state.withLock { $0.place = .dialog }
    answer()
  }

  /// Takes a line.
  package func take(_ line: String) {
    let line = line.filter { !$0.isNewline }
    guard line.contains(where: { !$0.isWhitespace }), !line.hasPrefix("#") else { return }
    state.withLock { $0.lines.append(line) }
    answer()
  }

  /// No more lines come: the first screen or question that waits for one is the end, as if the person had closed the program.
  package func end() {
    state.withLock { $0.isAtEnd = true }
    answer()
  }

  /// What is wrong with a line; nil: nothing.
  package static func fault(_ line: String) -> String? {
    guard line.contains(where: { !$0.isWhitespace }), !line.hasPrefix("#") else { return nil }
    guard inputs(line) == nil else { return nil }
    let words = line.split(separator: " ", maxSplits: 1).map(String.init)
    switch words.first {
    case "phone": return "“phone” needs a number. \(phoneFault(words.count > 1 ? words[1] : ""))"
    case "passport": return "“passport” needs a number: 6 to 15 letters A–Z and digits."
    case "code", "pin": return "“\(words[0])” needs four digits."
    default:
      return "“\(line.prefix(60).filter { !$0.isNewline })” is no answer. Known are: phone NUMBER, code DIGITS, new, "
        + "passport NUMBER, pin DIGITS, face, yes, no, quit."
    }
  }

  private static func phoneFault(_ typed: String) -> String {
    do throws(PhoneNumber.Fault) {
      _ = try PhoneNumber(typed)
      return ""
    } catch {
      return error.text
    }
  }

  private func answer() {
    let inputs = state.withLock { state -> [EnrollmentInput] in
      guard let line = state.lines.first else {
        guard state.isAtEnd, state.place != .busy, !(codeComes && state.place == .screen("code")) else { return [] }
        state.place = .busy
        return [.cancel]
      }
      guard let (place, inputs) = EnrollmentScript.inputs(line) else {
        state.lines.removeFirst()
        return []
      }
      guard place(state.place.name) else { return [] }
      state.lines.removeFirst()
      state.place = .busy
      return inputs
    }
    for input in inputs { post(input) }
  }

  /// What a line means, and where it may be said; nil: nothing.
  private static func inputs(_ line: String) -> ((@Sendable (String) -> Bool), [EnrollmentInput])? {
    let words = line.split(separator: " ", maxSplits: 1).map(String.init)
    let rest = words.count > 1 ? words[1] : ""
    switch words.first {
    case "phone": return (try? PhoneNumber(rest)).map { number in ({ $0 == "phone" }, [.sendSMS(number)]) }
    case "passport":
      return PassportNumber(rest).map { number in ({ $0 == "passport_number" }, [.passportNumber(number)]) }
    case "code": return digits(rest).map { digits in ({ $0 == "code" }, digits) }
    case "pin": return digits(rest).map { digits in ({ $0 == "choose_pin" || $0 == "login" }, digits) }
    case "new": return ({ $0 == "code" }, [.resendSMS])
    case "face": return ({ $0 == "login" }, [.useBiometrics])
    case "yes": return ({ $0 == "dialog" }, [.dialog(true)])
    case "no": return ({ $0 == "dialog" }, [.dialog(false)])
    case "quit": return ({ $0 != "busy" }, [.cancel])
    default: return nil
    }
  }

  private static func digits(_ text: String) -> [EnrollmentInput]? {
    FourDigits(text)?.digits.map { .digit($0 - 48) }
  }
}

extension EnrollmentScript.Place {
  fileprivate var name: String {
    switch self {
    case .busy: "busy"
    case .dialog: "dialog"
    case .screen(let name): name
    }
  }
}
