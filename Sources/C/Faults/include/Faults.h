#pragma once

// Faults on purpose, for test builds: without FAULTS this target is empty.

/// What happens to a call: 0, it is made; an errno, it fails with that and is not made;
/// FAULTS_TEAR, half of what it writes is written before `faults_die`.
#define FAULTS_TEAR (-1)

/// Counts a call that changes a file; may not return, when this is the call to be killed at.
int faults_next(const char *call, const char *path);

/// Ends the process as `kill -9` does.
void faults_die(void);

/// Makes SQLite count in the same sequence, unless nothing is asked for.
void faults_install(void);

/// Whether the free space is not to be asked for, so that a full disk is met where it is full.
int faults_count_on_space(void);

/// The bytes that the log of an overlay may always have; 0 for as many as usual.
long faults_longest_log(void);
