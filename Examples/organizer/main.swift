internal import ExampleSupport

let values = OrganizerCommand.command.valuesOrExit()
do throws(ExampleError) {
  leave(try OrganizerCommand.run(values))
} catch {
  error.leave(program: "organizer")
}
