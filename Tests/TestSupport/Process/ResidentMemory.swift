import Foundation

/// How much memory this process really has, in bytes.
public func residentBytes() -> Int {
  let words = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ") ?? []
  return words.count > 1 ? (Int(words[1]) ?? 0) * 4_096 : 0
}
