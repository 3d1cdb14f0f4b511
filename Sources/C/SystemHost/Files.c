#include "platform.h"

#include <dirent.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/statvfs.h>
#include <time.h>

#include "SystemHost.h"

static int64_t answer(int64_t result) { return result < 0 ? -errno : result; }

static int64_t nanoseconds(struct timespec time) {
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

// What is there.

static int note(int result, const struct stat *found, struct sh_status *status) {
  if (result != 0) return -errno;
  *status = (struct sh_status){
      .device = (uint64_t)found->st_dev,
      .inode = (uint64_t)found->st_ino,
      .links = (uint64_t)found->st_nlink,
      .size = (int64_t)found->st_size,
      .modified = nanoseconds(modified(found)),
      .changed = nanoseconds(changed(found)),
      .owner = found->st_uid,
      .mode = found->st_mode & 07777,
      .is_regular = S_ISREG(found->st_mode),
      .is_folder = S_ISDIR(found->st_mode),
      .is_link = S_ISLNK(found->st_mode),
  };
  return 0;
}

int sh_status_at(const char *path, struct sh_status *status) {
  struct stat found;
  return note(lstat(path, &found), &found, status);
}

int sh_status_of(int descriptor, struct sh_status *status) {
  struct stat found;
  return note(fstat(descriptor, &found), &found, status);
}

int sh_names(const char *folder, const char *beginning, void *context,
             bool (*each)(void *context, const char *name)) {
  size_t length = strlen(beginning);
  DIR *stream = opendir(folder);
  if (stream == NULL) return -errno;
  int error = 0;
  for (bool goes_on = true; goes_on;) {
    // "To distinguish end of stream from an error, set errno to zero before" (POSIX, readdir).
    errno = 0;
    struct dirent *entry = readdir(stream);
    if (entry == NULL) {
      error = errno;
      break;
    }
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
    if (strncmp(entry->d_name, beginning, length) != 0) continue;
    goes_on = each(context, entry->d_name);
  }
  closedir(stream);
  return -error;
}

char *sh_real_path(const char *path, int *error) {
  char *resolved = is_real_path(path) ? strdup(path) : realpath(path, NULL);
  *error = resolved == NULL ? -errno : 0;
  return resolved;
}

void sh_free(void *memory) { free(memory); }

bool sh_may_write(const char *path) { return access(path, W_OK) == 0; }

int64_t sh_free_bytes(const char *path) {
  struct statvfs status;
  if (statvfs(path, &status) != 0) return -errno;
  uint64_t bytes;
  uint64_t blocks = status.f_bavail;
  bool overflows = __builtin_mul_overflow(blocks, (uint64_t)status.f_frsize, &bytes);
  return overflows || bytes > INT64_MAX ? INT64_MAX : (int64_t)bytes;
}

int sh_is_local(const char *path) { return is_local(path); }

// Opening.

int sh_open(const char *path, enum sh_way way) {
  const int own = O_NOFOLLOW | O_CLOEXEC, made = O_CREAT | O_EXCL | own;
  int descriptor = -1;
  switch (way) {
  case SH_READ: descriptor = open(path, O_RDONLY | O_NONBLOCK | own); break;
  case SH_READ_FOLLOWING: descriptor = open(path, O_RDONLY | O_CLOEXEC); break;
  case SH_FOLDER: descriptor = open(path, O_RDONLY | O_DIRECTORY | own); break;
  case SH_CREATE: descriptor = open(path, O_WRONLY | made, 0600); break;
  case SH_CREATE_TO_READ: descriptor = open(path, O_RDWR | made, 0600); break;
  case SH_CREATE_SHARED: descriptor = open(path, O_RDWR | made, 0644); break;
  case SH_LOCK: descriptor = open(path, O_RDWR | O_CREAT | O_NONBLOCK | own, 0600); break;
  case SH_APPEND:
    // Without a reader of a FIFO "open() shall return -1 and set errno to [ENXIO]" (POSIX).
    // Writing then waits as ever.
    descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK | O_CLOEXEC, 0666);
    if (descriptor >= 0) (void)fcntl(descriptor, F_SETFL, O_APPEND);
    break;
  }
  return descriptor < 0 ? -errno : descriptor;
}

int sh_open_in(int folder, const char *name) {
  return (int)answer(openat(folder, name, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC));
}

void sh_close(int descriptor) { (void)close(descriptor); }

// Reading and writing.

int64_t sh_read(int descriptor, void *buffer, size_t count, int64_t place) {
  size_t filled = 0;
  while (filled < count) {
    off_t offset = place + (off_t)filled;
    ssize_t step = pread(descriptor, (char *)buffer + filled, count - filled, offset);
    if (step < 0 && errno == EINTR) continue;
    if (step < 0) return -errno;
    if (step == 0) break;
    filled += (size_t)step;
  }
  return (int64_t)filled;
}

int sh_contains(int descriptor, const void *bytes, size_t count) {
  char piece[1 << 15];
  for (size_t done = 0; done < count;) {
    size_t wanted = count - done < sizeof piece ? count - done : sizeof piece;
    int64_t length = sh_read(descriptor, piece, wanted, (int64_t)done);
    if (length < 0) return (int)length;
    if ((size_t)length < wanted) return 0;
    if (memcmp(piece, (const char *)bytes + done, wanted) != 0) return 0;
    done += wanted;
  }
  return 1;
}

int64_t sh_write(int descriptor, const void *bytes, size_t count) {
  ssize_t written;
  do written = write(descriptor, bytes, count);
  while (written < 0 && errno == EINTR);
  return answer(written);
}

int64_t sh_write_at(int descriptor, const void *bytes, size_t count, int64_t place) {
  return answer(pwrite(descriptor, bytes, count, place));
}

int64_t sh_place(int descriptor) { return answer(lseek(descriptor, 0, SEEK_CUR)); }

int64_t sh_read_waiting(int descriptor, void *buffer, size_t count, int milliseconds) {
  struct pollfd watched = {.fd = descriptor, .events = POLLIN};
  if (poll(&watched, 1, milliseconds) <= 0) return -EAGAIN;
  const int64_t length = answer(read(descriptor, buffer, count));
  // "EIO: [...] the process is in a background process group [...] or the terminal has gone away"
  // (read(2)): nothing will come any more.
  return length == -EIO ? 0 : length;
}

int sh_sync(int descriptor) { return (int)answer(sync_to_disk(descriptor)); }

int sh_lock(int descriptor) { return (int)answer(flock(descriptor, LOCK_EX | LOCK_NB)); }

void sh_unlock(int descriptor) { (void)flock(descriptor, LOCK_UN); }

bool sh_is_open_elsewhere(int descriptor) { return is_open_elsewhere(descriptor); }

// Copying.

int sh_clone(int descriptor, const char *target, int *made) {
  return (int)answer(clone_file(descriptor, target, made));
}

bool sh_shares_blocks(const char *one, const char *other) { return shares_blocks(one, other); }

bool sh_has_links(const char *folder) { return has_links(folder); }

int sh_copy_attributes(int from, int to) {
  copy_protection(from, to);
  copy_extended_attributes(from, to);
  struct stat status;
  if (fstat(from, &status) != 0) return -errno;
  // The owner first: "when the owner of an executable file is changed ... the S_ISUID and S_ISGID
  // mode bits are cleared" (chown(2)).
  if (fchown(to, status.st_uid, status.st_gid) != 0) errno = 0;
  return (int)answer(fchmod(to, status.st_mode & 07777));
}

void sh_copy_protection(int from, int to) { copy_protection(from, to); }

// Names.

int sh_make_folder(const char *path, uint32_t mode) {
  return (int)answer(mkdir(path, (mode_t)mode));
}
int sh_rename(const char *path, const char *target) { return (int)answer(rename(path, target)); }
int sh_rename_new(const char *path, const char *target) {
  return (int)answer(rename_new(path, target));
}
int sh_link_file(const char *path, const char *target) { return (int)answer(link(path, target)); }
int sh_unlink(const char *path) { return (int)answer(unlink(path)); }
int sh_remove_folder(const char *path) { return (int)answer(rmdir(path)); }

const char *sh_words(int error) { return strerror(error < 0 ? -error : error); }

int64_t sh_now(void) {
  struct timespec time = {0};
  (void)clock_gettime(CLOCK_REALTIME, &time);
  return nanoseconds(time);
}

int64_t sh_thread_time(void) {
  struct timespec time = {0};
  (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return nanoseconds(time);
}

void sh_sleep(int milliseconds) {
  struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
  while (nanosleep(&time, &time) != 0 && errno == EINTR) {}
}

uint32_t sh_user(void) { return geteuid(); }

// Numbers.

const int sh_missing = ENOENT, sh_missing_folder = ENOTDIR, sh_there = EEXIST, sh_no_file = EINVAL;
const int sh_link = ELOOP, sh_folder = EISDIR, sh_socket = ENXIO, sh_unsupported = EOPNOTSUPP;
const int sh_too_large = EFBIG, sh_cut_off = EIO, sh_not_empty = ENOTEMPTY;
const int sh_locked = EWOULDBLOCK, sh_no_reader = EPIPE;

bool sh_is_denied(int error) { return error == EACCES || error == EPERM || error == EROFS; }
/// The disk has no room, or the user may not have more of it.
bool sh_is_full(int error) { return error == ENOSPC || error == EDQUOT; }
/// The process, or the system, has as many files open as it may.
bool sh_is_out_of_files(int error) { return error == EMFILE || error == ENFILE; }
