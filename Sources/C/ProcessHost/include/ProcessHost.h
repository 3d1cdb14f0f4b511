#pragma once

#include <stdbool.h>

// What a program on a desk or a server does and an app does not: it looks after programs that it
// has started, catches signals, and asks terminals. Like SystemHost, without errno and macros.

/// How a child process has ended.
enum ph_end { PH_RUNS, PH_EXITED, PH_KILLED };
/// How a child process has ended, with its status or signal; others can still ask after it.
enum ph_end ph_end_of(int process, int *number);
/// Sends a signal to a child process and, where it leads a group, to those that it has started.
void ph_signal(int process, int number);

/// Opens what stands for standard streams that are closed, before another file takes their place.
void ph_occupy_standard_streams(void);
/// Has a write to a pipe without a reader fail with EPIPE, instead of ending the program.
void ph_outlive_readers(void);
/// Has a signal write its number into a pipe, the first time it comes.
void ph_forward_signal(int number, int pipe);
/// A pipe that child processes do not inherit: where to read, and where to write.
int ph_make_pipe(int ends[2]);
bool ph_is_terminal(int descriptor);
/// The columns of the terminal behind a descriptor; 0 if it is none, or does not know.
int ph_columns(int descriptor);
