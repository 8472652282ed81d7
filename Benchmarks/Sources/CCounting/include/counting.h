#ifndef CHECKIN_COUNTING_H
#define CHECKIN_COUNTING_H

/// How often something was taken from the heap so far, by any thread.
unsigned long heap_taken(void);

/// Takes something from the heap, and makes one system call.
void waste(void);

#endif
