internal import Glibc

/// A terminal that is no window: a program runs on it, and a test is at its other end.
struct ProcessTerminal {
  /// The test's end.
  let controller: Int32
  /// The path by which the program opens its end.
  let path: String

  init(rows: Int, columns: Int) throws(ProcessFailure) {
    controller = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard controller >= 0 else { throw ProcessFailure("There is no pseudo-terminal (errno \(errno)).") }
    // TIOCSPTLCK and TIOCGPTN (ioctl_tty(2)): the system reads the zero that unlocks, and writes the number.
    var locked: Int32 = 0
    var number: UInt32 = 0
    guard unsafe ioctl(controller, 0x4004_5431, &locked) == 0, unsafe ioctl(controller, 0x8004_5430, &number) == 0
    else {
      throw ProcessFailure("The pseudo-terminal has no name (errno \(errno)).")
    }
    path = "/dev/pts/\(number)"
    resize(rows: rows, columns: columns)
  }

  func resize(rows: Int, columns: Int) {
    var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    // The structure is ours for the time of the call.
    _ = unsafe ioctl(controller, UInt(TIOCSWINSZ), &size)
  }
}
