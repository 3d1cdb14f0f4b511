// A VFS between SQLite and its own: each method that changes a file asks the counter first.

#ifdef FAULTS

#include "Faults.h"
#include <errno.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

/// An open file; SQLite's own one lies behind it.
typedef struct {
  sqlite3_file base;
  sqlite3_file *real;
  const char *path;
} File;

static sqlite3_vfs shim;
static sqlite3_vfs *own;
static sqlite3_io_methods methods[4];

static File *file_of(sqlite3_file *file) { return (File *)file; }
static sqlite3_file *real(sqlite3_file *file) { return file_of(file)->real; }

/// The result code for a call that fails: a full disk has one of its own.
static int code(int error, int otherwise) {
  return error == 0 ? SQLITE_OK : error == ENOSPC ? SQLITE_FULL : otherwise;
}

/// Asks for a call that cannot be done by halves.
static int ask(const char *call, const char *path, int otherwise) {
  int verdict = faults_next(call, path);
  if (verdict == FAULTS_TEAR) faults_die();
  return code(verdict, otherwise);
}

static int file_close(sqlite3_file *file) { return real(file)->pMethods->xClose(real(file)); }

static int file_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  return real(file)->pMethods->xRead(real(file), bytes, count, offset);
}

static int file_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  int verdict = faults_next("xWrite", file_of(file)->path);
  if (verdict == FAULTS_TEAR) {
    real(file)->pMethods->xWrite(real(file), bytes, count / 2, offset);
    faults_die();
  }
  if (verdict) return code(verdict, SQLITE_IOERR_WRITE);
  return real(file)->pMethods->xWrite(real(file), bytes, count, offset);
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size) {
  int refused = ask("xTruncate", file_of(file)->path, SQLITE_IOERR_TRUNCATE);
  return refused ? refused : real(file)->pMethods->xTruncate(real(file), size);
}

static int file_sync(sqlite3_file *file, int flags) {
  int refused = ask("xSync", file_of(file)->path, SQLITE_IOERR_FSYNC);
  return refused ? refused : real(file)->pMethods->xSync(real(file), flags);
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
  return real(file)->pMethods->xFileSize(real(file), size);
}

static int file_lock(sqlite3_file *file, int level) {
  return real(file)->pMethods->xLock(real(file), level);
}

static int file_unlock(sqlite3_file *file, int level) {
  return real(file)->pMethods->xUnlock(real(file), level);
}

static int file_reserved(sqlite3_file *file, int *isReserved) {
  return real(file)->pMethods->xCheckReservedLock(real(file), isReserved);
}

static int file_control(sqlite3_file *file, int verb, void *argument) {
  return real(file)->pMethods->xFileControl(real(file), verb, argument);
}

static int file_sector(sqlite3_file *file) { return real(file)->pMethods->xSectorSize(real(file)); }

static int file_traits(sqlite3_file *file) {
  return real(file)->pMethods->xDeviceCharacteristics(real(file));
}

static int file_map_shared(
    sqlite3_file *file, int block, int size, int extends, void volatile **memory) {
  // Only a writer makes the -shm longer.
  int refused = extends ? ask("xShmMap", file_of(file)->path, SQLITE_IOERR_SHMSIZE) : SQLITE_OK;
  return refused ? refused
                 : real(file)->pMethods->xShmMap(real(file), block, size, extends, memory);
}

static int file_lock_shared(sqlite3_file *file, int offset, int count, int flags) {
  return real(file)->pMethods->xShmLock(real(file), offset, count, flags);
}

static void file_barrier(sqlite3_file *file) { real(file)->pMethods->xShmBarrier(real(file)); }

static int file_unmap_shared(sqlite3_file *file, int deletes) {
  int refused = deletes ? ask("xShmUnmap", file_of(file)->path, SQLITE_IOERR) : SQLITE_OK;
  // The memory is given back in any case: only the file may stay.
  int result = real(file)->pMethods->xShmUnmap(real(file), refused ? 0 : deletes);
  return refused ? refused : result;
}

static int file_fetch(sqlite3_file *file, sqlite3_int64 offset, int count, void **bytes) {
  return real(file)->pMethods->xFetch(real(file), offset, count, bytes);
}

static int file_unfetch(sqlite3_file *file, sqlite3_int64 offset, void *bytes) {
  return real(file)->pMethods->xUnfetch(real(file), offset, bytes);
}

static const sqlite3_io_methods all = {
    3,              file_close,       file_read,     file_write,    file_truncate,
    file_sync,      file_size,        file_lock,     file_unlock,   file_reserved,
    file_control,   file_sector,      file_traits,   file_map_shared, file_lock_shared,
    file_barrier,   file_unmap_shared, file_fetch,   file_unfetch,
};

static int vfs_open(
    sqlite3_vfs *vfs, const char *path, sqlite3_file *opened, int flags, int *outFlags) {
  (void)vfs;
  File *file = file_of(opened);
  *file = (File){.real = (sqlite3_file *)(file + 1), .path = path ? path : "(temporary)"};
  if (flags & SQLITE_OPEN_CREATE) {
    int refused = ask("xOpen", file->path, SQLITE_CANTOPEN);
    if (refused) return refused;
  }
  int result = own->xOpen(own, path, file->real, flags, outFlags);
  if (file->real->pMethods) {
    int version = file->real->pMethods->iVersion;
    opened->pMethods = &methods[version < 3 ? version : 3];
  }
  return result;
}

static int vfs_delete(sqlite3_vfs *vfs, const char *path, int syncs) {
  (void)vfs;
  int refused = ask("xDelete", path, SQLITE_IOERR_DELETE);
  return refused ? refused : own->xDelete(own, path, syncs);
}

static void install(void) {
  if (!getenv("PIPELINE_FAULTS") && !getenv("PIPELINE_FAULTS_LOG")) return;
  own = sqlite3_vfs_find(NULL);
  if (!own) return;
  for (int version = 0; version < 4; version++) {
    methods[version] = all;
    methods[version].iVersion = version;
  }
  // What is not named here goes straight to SQLite's own: those functions find their data by it.
  shim = *own;
  shim.zName = "faults";
  shim.szOsFile = (int)sizeof(File) + own->szOsFile;
  shim.pNext = NULL;
  shim.xOpen = vfs_open;
  shim.xDelete = vfs_delete;
  sqlite3_vfs_register(&shim, 1);
}

void faults_install(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, install);
}

#endif
