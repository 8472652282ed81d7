// SQLite as a C program would use it for the rows of a ledger: one prepared statement, many rows in a transaction.
#include "peers.h"

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

static const char *const SCHEMA =
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 16777216;"
    "CREATE TABLE answers (number INTEGER PRIMARY KEY, token BLOB NOT NULL CHECK (length(token) = 32),"
    "  request BLOB NOT NULL CHECK (length(request) = 16), attendee TEXT NOT NULL, gate TEXT NOT NULL,"
    "  kiosk TEXT NOT NULL, time INTEGER NOT NULL, reason INTEGER NOT NULL, admitted_at INTEGER, admitted_gate TEXT,"
    "  retry_after INTEGER, UNIQUE (token, request)) STRICT;"
    "CREATE UNIQUE INDEX admissions ON answers (attendee) WHERE reason = 0;";

static const char *const INSERT =
    "INSERT INTO answers (token, request, attendee, gate, kiosk, time, reason, admitted_at, admitted_gate, retry_after)"
    " VALUES (?1, ?2, ?3, 'North', 'Hall A', ?4, 0, ?4, 'North', NULL) ON CONFLICT DO NOTHING";

static double failed(sqlite3 *database, const char *what) {
  fprintf(stderr, "SQLite: %s failed: %s\n", what, sqlite3_errmsg(database));
  return -1;
}

static int run(sqlite3_stmt *statement) {
  int result = sqlite3_step(statement);
  return sqlite3_reset(statement) == SQLITE_OK && result == SQLITE_DONE;
}

// Bytes that differ from row to row all over, as digests and random numbers do.
static void spread(uint64_t seed, uint8_t *bytes, size_t size) {
  for (size_t index = 0; index < size; index += 8) {
    seed = (seed ^ (seed >> 29)) * 0xbf58476d1ce4e5b9u + index + 1;
    uint64_t word = seed ^ (seed >> 32);
    memcpy(bytes + index, &word, 8);
  }
}

static double insert_rows(const char *path, const char *set_up, long group, long count) {
  sqlite3 *database = NULL;
  sqlite3_stmt *begin = NULL, *insert = NULL, *commit = NULL;
  if (sqlite3_open(path, &database) || sqlite3_exec(database, set_up, NULL, NULL, NULL) ||
      sqlite3_prepare_v2(database, "BEGIN IMMEDIATE", -1, &begin, NULL) ||
      sqlite3_prepare_v2(database, INSERT, -1, &insert, NULL) ||
      sqlite3_prepare_v2(database, "COMMIT", -1, &commit, NULL))
    return failed(database, "setting up");
  uint64_t start = peer_now();
  for (long row = 0; row < count;) {
    if (!run(begin)) return failed(database, "beginning");
    for (long index = 0; index < group && row < count; index++, row++) {
      uint8_t token[32], request[16];
      char attendee[32];
      spread((uint64_t)row + 1, token, sizeof token);
      spread((uint64_t)row + 7777777, request, sizeof request);
      snprintf(attendee, sizeof attendee, "attendee-%ld", row);
      sqlite3_bind_blob(insert, 1, token, sizeof token, SQLITE_TRANSIENT);
      sqlite3_bind_blob(insert, 2, request, sizeof request, SQLITE_TRANSIENT);
      sqlite3_bind_text(insert, 3, attendee, -1, SQLITE_TRANSIENT);
      sqlite3_bind_int64(insert, 4, 1700000000 + row);
      if (!run(insert)) return failed(database, "inserting");
    }
    if (!run(commit)) return failed(database, "committing");
  }
  double each = (double)(peer_now() - start) / (double)count;
  sqlite3_finalize(begin);
  sqlite3_finalize(insert);
  sqlite3_finalize(commit);
  sqlite3_close(database);
  return each;
}

double sqlite_group_commit(const char *path, long group, long count) {
  return insert_rows(path, SCHEMA, group, count);
}

double sqlite_fill(const char *path, long count) { return insert_rows(path, "PRAGMA synchronous = OFF", count, count); }
