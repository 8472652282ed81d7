// Counts what the process that this is linked into asks of the heap and of its sockets. The functions themselves take the
// place of the C library's; a process that has a sanitizer keeps the sanitizer's, and counts nothing.
#ifndef COUNTS_H
#define COUNTS_H

/// Pieces of memory that were asked for so far, by any thread.
long counted_allocations(void);
/// System calls on sockets, and those that wait for them or end a wait, so far, by any thread.
long counted_calls(void);
/// Leaves out what OpenSSL asks for from now on, which is another in each of its versions. Before its first use. 0: done.
int leave_out_openssl(void);

#endif
