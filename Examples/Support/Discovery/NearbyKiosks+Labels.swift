package import CheckIn

extension NearbyKiosks.Kiosk {
  /// Its name, or its address where the name was not heard.
  package var label: String { name ?? "\(endpoint)" }
}

extension [NearbyKiosks.Kiosk] {
  /// What each is called in a list: its label, and where others have the same, what tells them apart.
  package var labels: [String] {
    let names = Dictionary(grouping: self, by: \.label)
    return map { kiosk in
      let same = names[kiosk.label] ?? []
      guard same.count > 1 else { return kiosk.label }
      let isUnique = same.count { $0.endpoint.address == kiosk.endpoint.address } == 1
      return "\(kiosk.label) (\(isUnique ? kiosk.endpoint.address : "\(kiosk.endpoint)"))"
    }
  }
}
