internal import ExampleSupport

let values = EnrollCommand.command.valuesOrExit()
do throws(ExampleError) {
  leave(try await EnrollProgram(values).run())
} catch {
  error.leave(program: "enroll")
}
