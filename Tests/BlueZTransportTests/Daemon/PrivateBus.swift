internal import BlueZTransport
internal import TestSupport

/// A message bus of a test's own: `dbus-daemon` in a folder that vanishes with it.
struct PrivateBus: Sendable {
  let process: ChildProcess
  let address: BusAddress

  /// Runs a bus for the time of `body`.
  ///
  /// - Parameter policy: what the bus's configuration says beyond allowing everything.
  static func run<Value>(policy: String = "", _ body: (PrivateBus) async throws -> Value) async throws -> Value {
    try await ProcessFolder.with { folder in
      let configuration = """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig>
          <listen>unix:path=\(folder.path("bus"))</listen>
          <auth>EXTERNAL</auth>
          <policy context="default">
            <allow user="*"/><allow own="*"/><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>
            \(policy)
          </policy>
        </busconfig>
        """
      let file = try folder.write(configuration, to: "configuration")
      return try await ChildProcess.run(
        "/usr/bin/env",
        ["dbus-daemon", "--nofork", "--nopidfile", "--print-address", "--config-file=\(file)"]
      ) { process in
        // It says its address when it listens.
        while !process.outputText.contains("unix:") {
          guard process.ended == nil else { throw ProcessFailure("dbus-daemon ended: \(process.errorText)") }
          try await Task.sleep(for: .milliseconds(1))
        }
        return try await body(PrivateBus(process: process, address: .at("unix:path=\(folder.path("bus"))")))
      }
    }
  }
}
