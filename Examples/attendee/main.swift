internal import ExampleSupport

let values = AttendeeCommand.command.valuesOrExit()
do throws(ExampleError) {
  leave(try await AttendeeProgram(values).run())
} catch {
  error.leave(program: "attendee")
}
