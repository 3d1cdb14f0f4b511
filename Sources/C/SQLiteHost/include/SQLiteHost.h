#pragma once

#include <stdbool.h>
#include <stdint.h>

// The memory that SQLite takes, counted without a lock.
//
// SQLite's own accounts are kept under one mutex for the whole process, which each allocation of
// each thread waits for. "Memory allocation statistics are enabled by default" (SQLite, C API,
// SQLITE_CONFIG_MEMSTATUS), and the limit of the heap depends on them.

/// Gives SQLite its memory from here on; false when it has some already and keeps its own accounts.
///
/// "The application must ensure that no other SQLite interfaces are invoked by other threads while
/// sqlite3_config() is running" (SQLite, C API, sqlite3_config).
bool sq_take_memory(void);

/// What SQLite may have at a time, in the whole process; beyond it an allocation fails, which
/// SQLite answers with SQLITE_NOMEM. It may be passed by a MiB for each share.
void sq_limit_memory(int64_t bytes);
