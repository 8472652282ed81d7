#define _GNU_SOURCE
#include "peers.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static uint64_t now(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

uint64_t peer_now(void) { return now(CLOCK_MONOTONIC); }

uint64_t peer_cpu_now(void) { return now(CLOCK_PROCESS_CPUTIME_ID); }

double peer_failed(const char *what) {
  fprintf(stderr, "%s failed: %s\n", what, strerror(errno));
  return -1;
}

int peer_pin(int core) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(core, &set);
  return sched_setaffinity(0, sizeof set, &set);
}

int peer_pin_two(void) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(0, &set);
  CPU_SET(1, &set);
  return sched_setaffinity(0, sizeof set, &set);
}

int peer_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }
