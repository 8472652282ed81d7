// The tests of EnrollmentCore: the rules of the server, the client's course, and what they say to each other.
