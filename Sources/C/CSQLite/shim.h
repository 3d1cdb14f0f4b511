#pragma once
#include <sqlite3.h>
#include <stdbool.h>
#include <string.h>

#include "entries.h"

// What Swift cannot import from sqlite3.h: variadic functions, cast macros, io methods.

/// `sqlite3_db_config` for the verbs that take an on/off argument and report the setting.
static inline int csqlite_db_config(sqlite3 *db, int verb, int value) {
  int now = -1;
  int code = sqlite3_db_config(db, verb, value, &now);
  if (code != SQLITE_OK) return code;
  return now == value ? SQLITE_OK : SQLITE_ERROR;
}

/// Binds text that SQLite copies before it returns (`SQLITE_TRANSIENT` is a cast macro).
static inline int csqlite_bind_text_copy(
    sqlite3_stmt *stmt, int index, const void *text, sqlite3_uint64 count) {
  return sqlite3_bind_text64(
      stmt, index, (const char *)(count ? text : ""), count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

/// Binds text that the caller keeps alive until the statement is stepped and cleared.
static inline int csqlite_bind_text_static(
    sqlite3_stmt *stmt, int index, const void *text, sqlite3_uint64 count) {
  return sqlite3_bind_text64(
      stmt, index, (const char *)(count ? text : ""), count, SQLITE_STATIC, SQLITE_UTF8);
}

/// Binds a blob that SQLite copies. A null pointer would bind NULL, so an empty blob points at "".
static inline int csqlite_bind_blob_copy(
    sqlite3_stmt *stmt, int index, const void *bytes, sqlite3_uint64 count) {
  return sqlite3_bind_blob64(stmt, index, count ? bytes : "", count, SQLITE_TRANSIENT);
}

/// Binds a blob that the caller keeps alive until the statement is stepped and cleared.
static inline int csqlite_bind_blob_static(
    sqlite3_stmt *stmt, int index, const void *bytes, sqlite3_uint64 count) {
  return sqlite3_bind_blob64(stmt, index, count ? bytes : "", count, SQLITE_STATIC);
}

/// SQLite's own handle of the main file or, in WAL mode, of the WAL; null when it has none open.
static inline sqlite3_file *csqlite_file(sqlite3 *db, const char *schema, int verb) {
  sqlite3_file *file = 0;
  int code = sqlite3_file_control(db, schema, verb, &file);
  return code == SQLITE_OK && file && file->pMethods ? file : 0;
}

/// Reads through SQLite's handle; past the end the rest is zeros and the code IOERR_SHORT_READ.
static inline int csqlite_file_read(
    sqlite3_file *file, void *buffer, int count, sqlite3_int64 offset) {
  return file->pMethods->xRead(file, buffer, count, offset);
}

/// Writes through SQLite's handle.
static inline int csqlite_file_write(
    sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  return file->pMethods->xWrite(file, bytes, count, offset);
}

/// Cuts the file behind SQLite's handle off.
static inline int csqlite_file_truncate(sqlite3_file *file, sqlite3_int64 size) {
  return file->pMethods->xTruncate(file, size);
}

/// Makes sure that what was written outlives a power cut: "SQLITE_SYNC_FULL ... use Mac OS X style
/// fullsync" (C API), and fsync elsewhere.
static inline int csqlite_file_sync(sqlite3_file *file) {
  return file->pMethods->xSync(file, SQLITE_SYNC_FULL);
}

/// Whether two runs of bytes are the same.
static inline bool csqlite_is_same(const void *one, const void *two, size_t count) {
  return memcmp(one, two, count) == 0;
}

/// The size of the file behind SQLite's handle.
static inline int csqlite_file_size(sqlite3_file *file, sqlite3_int64 *size) {
  return file->pMethods->xFileSize(file, size);
}

/// The 48 bytes of the WAL-index header, through the mapping that SQLite itself has of it.
///
/// BUSY when its two copies differ: another process is writing it. 32768 is the size of a WAL-index
/// block, and 0 asks for no file to be made (WAL-mode File Format, section 2).
static inline int csqlite_wal_index_header(sqlite3_file *file, void *header) {
  volatile void *block = 0;
  unsigned char second[48];
  if (file->pMethods->iVersion < 2) return SQLITE_ERROR;
  int code = file->pMethods->xShmMap(file, 0, 32768, 0, &block);
  if (code != SQLITE_OK && code != SQLITE_READONLY) return code;
  if (!block) return SQLITE_ERROR;
  memcpy(header, (const void *)block, sizeof second);
  file->pMethods->xShmBarrier(file);
  memcpy(second, (const char *)block + sizeof second, sizeof second);
  return memcmp(header, second, sizeof second) == 0 ? SQLITE_OK : SQLITE_BUSY;
}
