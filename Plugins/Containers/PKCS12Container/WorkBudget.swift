internal import COpenSSL

/// How much work a file may ask for. Each iteration count is read and charged before anything is derived, so a file that
/// asks for hours is refused at once.
struct WorkBudget {
  /// How many iterations one file may ask for, in all of its MAC, contents and keys together. Containers of today have
  /// from 2,048 to 600,000 each, three times.
  static let most: Int64 = 5_000_000
  /// How many contents and bags one file may have.
  static let mostParts = 256

  private var iterations: Int64 = 0
  private var parts = 0

  /// Charges a derivation. nil stands for an iteration count that is left out, which means 1.
  mutating func charge(_ count: UnsafePointer<ASN1_INTEGER>?, times: Int64 = 1) throws(ContainerError) {
    var number: Int64 = 1
    if let count = unsafe count {
      // Unsafe: the library reads the integer and writes the number.
      if unsafe ASN1_INTEGER_get_int64(&number, count) != 1 { number = .max }
      ERR_clear_error()
    }
    guard number > 0 else {
      throw ContainerError(.damaged, "The container is damaged: an iteration count in it is not above zero.")
    }
    guard number <= WorkBudget.most, iterations + number * times <= WorkBudget.most else {
      throw ContainerError(
        .tooMuchWork,
        """
        Opening the container would take too long: it asks for more than \(WorkBudget.most) iterations. \
        Is it from somebody you trust? Then write it anew with fewer, as with openssl pkcs12 -iter.
        """)
    }
    iterations += number * times
  }

  /// Charges a content or bag.
  mutating func chargePart() throws(ContainerError) {
    parts += 1
    guard parts <= WorkBudget.mostParts else {
      throw ContainerError(
        .tooLarge, "The container has more than \(WorkBudget.mostParts) parts. Make one for each holder.")
    }
  }
}
