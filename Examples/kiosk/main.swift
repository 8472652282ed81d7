internal import ExampleSupport

let values = KioskCommand.command.valuesOrExit()
do throws(ExampleError) {
  leave(try await KioskProgram(values).run())
} catch {
  error.leave(program: "kiosk")
}
