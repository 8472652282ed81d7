package import CheckInCore
internal import Glibc

/// The time of day where the machine stands.
package enum LocalClock {
  /// Hours and minutes, such as `09:05`, by the time zone of the process.
  package static func text(_ time: WallTime) -> String {
    var seconds = time_t(time.secondsSince1970)
    // The structures are ours for the time of the call; the name of the zone in it, a pointer, is not looked at.
    var parts = unsafe tm()
    guard unsafe localtime_r(&seconds, &parts) != nil else { return "--:--" }
    let (hour, minute) = unsafe (parts.tm_hour, parts.tm_min)
    return "\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)"
  }
}
