#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The calls of the operating system as Swift needs them: without errno, which another call between
// may change, without macros, unions and variable arguments, which Swift does not import, and with
// the same types on each system. What differs between systems stands in platform.h.
//
// A function that can fail gives back a negative number then: errno with its sign changed.

/// What a name in the file system stands for, or what is open.
struct sh_status {
  uint64_t device;
  uint64_t inode;
  uint64_t links;
  int64_t size;
  /// Nanoseconds since 1970.
  int64_t modified;
  int64_t changed;
  uint32_t owner;
  /// The permissions with the set-id and sticky bits.
  uint32_t mode;
  bool is_regular;
  bool is_folder;
  bool is_link;
};

/// What is at a path, links not followed.
int sh_status_at(const char *path, struct sh_status *status);
int sh_status_of(int descriptor, struct sh_status *status);

/// How a file is opened. A child process inherits no descriptor of these.
enum sh_way {
  /// For reading: no link is followed, and the other end of a FIFO is not waited for.
  SH_READ,
  /// For reading what the user names: links are followed, the other end of a FIFO is waited for.
  SH_READ_FOLLOWING,
  /// A folder that is no link.
  SH_FOLDER,
  /// A new file, for its owner alone, to be written.
  SH_CREATE,
  /// A new file, for its owner alone, to be written and read.
  SH_CREATE_TO_READ,
  /// A new file, readable by those whom the user's mask allows.
  SH_CREATE_SHARED,
  /// A file to be locked, made when it is not there.
  SH_LOCK,
  /// A file to be appended to, made when it is not there; who reads a FIFO is not waited for.
  SH_APPEND,
};

int sh_open(const char *path, enum sh_way way);
/// Opens a file of an open folder as SH_READ does.
int sh_open_in(int folder, const char *name);
void sh_close(int descriptor);

/// Reads from a place in a file until the buffer is full or the file ends; gives back how much.
int64_t sh_read(int descriptor, void *buffer, size_t count, int64_t place);
/// Whether a file begins with these bytes: 1 or 0.
int sh_contains(int descriptor, const void *bytes, size_t count);
/// Writes at the end of what was written; gives back how much, which may be less.
int64_t sh_write(int descriptor, const void *bytes, size_t count);
/// Writes at a place in a file, and leaves the place of the next sh_write alone.
int64_t sh_write_at(int descriptor, const void *bytes, size_t count, int64_t place);
/// The place of the next sh_write.
int64_t sh_place(int descriptor);
/// What can be read of a pipe within a time; -EAGAIN when nothing came, 0 at its end.
int64_t sh_read_waiting(int descriptor, void *buffer, size_t count, int milliseconds);
/// Has what was written outlive a power cut.
int sh_sync(int descriptor);

/// Takes a file's one lock without waiting: -EWOULDBLOCK when another descriptor has it.
int sh_lock(int descriptor);
/// Gives it back at once, for all who have the descriptor.
void sh_unlock(int descriptor);
/// Whether another descriptor is open on a file, in this process or another; false where the system
/// does not report it.
bool sh_is_open_elsewhere(int descriptor);

/// Makes a new file that shares the blocks of an open one. Where that cannot be, either nothing is
/// there and the error is given back, or an empty file is, open for writing as `made`; else that is
/// -1.
int sh_clone(int descriptor, const char *target, int *made);
/// Whether a copy that goes from one folder to another shares its blocks with the original.
bool sh_shares_blocks(const char *one, const char *other);
/// Whether a file in this folder can have a second name.
bool sh_has_links(const char *folder);
/// Gives an open file the owner, the permissions, the access list, the extended attributes and the
/// protection class of another. What only root may give, or the file system has not, is left as it
/// is.
int sh_copy_attributes(int from, int to);
/// Gives an open folder the protection class of a file: files that are made in it have it, too.
void sh_copy_protection(int from, int to);

int sh_make_folder(const char *path, uint32_t mode);
int sh_rename(const char *path, const char *target);
/// The same for a name that nothing has yet; an error where the file system has no such call.
int sh_rename_new(const char *path, const char *target);
/// Gives a file one more name, which nothing may have.
int sh_link_file(const char *path, const char *target);
int sh_unlink(const char *path);
int sh_remove_folder(const char *path);
/// Calls back with each name in a folder that begins like that, but not "." and "..", until that
/// gives back false.
int sh_names(const char *folder, const char *beginning, void *context,
             bool (*each)(void *context, const char *name));
/// A path with all links resolved, for sh_free; NULL with the negative number in `error`.
char *sh_real_path(const char *path, int *error);
void sh_free(void *memory);
/// Whether the user may write to what is at a path.
bool sh_may_write(const char *path);
/// How many bytes the user may still write where a path is.
int64_t sh_free_bytes(const char *path);
/// Whether a path is on this machine: 1, 0, or -1 where that is known by the file system's kind.
int sh_is_local(const char *path);

/// The system's words for an error number, positive or negative.
const char *sh_words(int error);
/// Nanoseconds since 1970.
int64_t sh_now(void);
/// The nanoseconds that a processor has worked for this thread.
int64_t sh_thread_time(void);
void sh_sleep(int milliseconds);
uint32_t sh_user(void);

// Limits, and places.

/// The most memory that this process has held at a time, in bytes.
int64_t sh_peak_memory(void);
/// Has threads take memory from so many heaps at most.
void sh_limit_heaps(int count);
/// Whether so many files more can be open at a time.
bool sh_can_open(int count);
/// Whether so many bytes more can be mapped; none of them is touched.
bool sh_can_map(size_t count);

/// Runs the body on a new thread with a stack of so many bytes, which is never joined. The error
/// number of the system when it has no thread left, else 0.
int sh_start_thread(size_t stack, void (*body)(void *), void *context);

/// The machine's name in its network, or "" when there is none.
const char *sh_host_name(void);

/// The folder for a user's settings, below the user's own.
const char *sh_settings_folder(void);

// Numbers that Swift gives back or asks for.

extern const int sh_missing;        // ENOENT
extern const int sh_missing_folder; // ENOTDIR
extern const int sh_there;          // EEXIST
extern const int sh_no_file;        // EINVAL: what is open is no regular file
extern const int sh_link;           // ELOOP
extern const int sh_folder;         // EISDIR
extern const int sh_socket;         // ENXIO: a socket, or a FIFO without a reader
extern const int sh_unsupported;    // EOPNOTSUPP
extern const int sh_too_large;      // EFBIG
extern const int sh_cut_off;        // EIO
extern const int sh_not_empty;      // ENOTEMPTY
extern const int sh_locked;         // EWOULDBLOCK
extern const int sh_no_reader;      // EPIPE
bool sh_is_denied(int error);
bool sh_is_full(int error);
bool sh_is_out_of_files(int error);
