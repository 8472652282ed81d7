internal import CheckInCore

/// What the person does, and what their device does for them.
extension EnrollmentSession {
  mutating func person(_ input: EnrollmentInput, at step: EnrollmentStep, _ out: inout [EnrollmentAction]) {
    switch (input, step) {
    case (.sendSMS(let number), .phone): go(.sendCode(phone: number.text), &out)
    case (.resendSMS, .code(let phone, _)): go(.sendCode(phone: phone), &out)
    case (.codeFromMessage(let code), .code(let phone, _)): register(phone, code, &out)
    case (.digit(let digit), .code(let phone, let digits)):
      let digits = digits.adding(digit)
      if let code = digits.whole { return register(phone, code, &out) }
      go(.code(phone: phone, digits: digits), &out)
    case (.backspace, .code(let phone, let digits)): go(.code(phone: phone, digits: digits.removingLast()), &out)
    case (.passportNumber(let number), .passportNumber): go(.sendNumber(number), &out)
    case (.picture(let bytes), .camera(let kind, _)): send(bytes, kind, &out)
    case (.pictureRefused(let why), .camera(let kind, let reason)):
      ask(.picture(why), yes: .camera(kind, reason: reason), &out)
    case (.digit(let digit), .choosePIN(let first, let digits)): choose(first, digits.adding(digit), &out)
    case (.backspace, .choosePIN(let first, let digits)):
      go(.choosePIN(first: first, digits: digits.removingLast()), &out)
    case (.digit(let digit), .login(let digits)):
      let digits = digits.adding(digit)
      guard let pin = digits.whole else { return go(.login(digits: digits), &out) }
      out.append(.show(.login(entered: FourDigits.length)))
      state = .at(.releasing)
      out.append(.unseal(pin))
    case (.backspace, .login(let digits)): go(.login(digits: digits.removingLast()), &out)
    case (.useBiometrics, .login):
      state = .at(.releasing)
      out.append(.askBiometrics)
    case (.biometricsFailed, .releasing): ask(.usePIN, yes: .login(digits: .none), &out)
    case (.token(let token), .releasing), (.token(let token), .sealing): go(.logIn(token: token), &out)
    default: break
    }
  }

  /// The fourth digit is in: the request goes out by itself.
  private mutating func register(_ phone: String, _ code: FourDigits, _ out: inout [EnrollmentAction]) {
    out.append(.show(.code(phone: phone, entered: FourDigits.length)))
    go(.register(phone: phone, request: RequestID(Bytes16(random: cryptography)), code: code), &out)
  }

  private mutating func send(_ bytes: [UInt8], _ kind: PictureKind, _ out: inout [EnrollmentAction]) {
    guard bytes.count <= EnrollmentLimits.picture else {
      return ask(.picture(.tooLarge), yes: .camera(kind, reason: nil), &out)
    }
    let upload = EnrollmentRequest.Upload(digest: cryptography.sha256(bytes.span), size: UInt64(bytes.count))
    go(.resume(OutgoingPicture(kind: kind, bytes: bytes, upload: upload)), &out)
  }

  private mutating func choose(_ first: FourDigits?, _ digits: TypedDigits, _ out: inout [EnrollmentAction]) {
    guard let pin = digits.whole else { return go(.choosePIN(first: first, digits: digits), &out) }
    guard let first else { return go(.choosePIN(first: pin, digits: .none), &out) }
    guard first.matches(pin) else {
      return ask(.differentPINs, yes: .choosePIN(first: nil, digits: .none), &out)
    }
    out.append(.show(.choosePIN(entered: FourDigits.length, again: true)))
    state = .at(.sealing)
    out.append(.seal(pin))
  }
}
