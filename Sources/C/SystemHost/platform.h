#pragma once

// What differs between systems.

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __APPLE__

#include <copyfile.h>
#include <sys/clonefile.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/param.h>

/// Here realpath() has to look at each name of a path.
static inline bool is_real_path(const char *path) {
  (void)path;
  return false;
}

static inline struct timespec modified(const struct stat *status) { return status->st_mtimespec; }
static inline struct timespec changed(const struct stat *status) { return status->st_ctimespec; }

/// "fsync() ... does not ask the drive to flush its buffers"; F_FULLFSYNC does (fsync(2)), and
/// fails where the file system has no such thing.
static inline int sync_to_disk(int descriptor) {
  return fcntl(descriptor, F_FULLFSYNC) == 0 ? 0 : fsync(descriptor);
}

/// "RENAME_EXCL: On file systems that support it, it will cause EEXIST to be returned if the
/// destination already exists" (rename(2)).
static inline int rename_new(const char *path, const char *target) {
  return renamex_np(path, target, RENAME_EXCL);
}

static inline int clone_file(int descriptor, const char *target, int *made) {
  *made = -1;
  return fclonefileat(descriptor, AT_FDCWD, target, 0);
}

static inline bool shares_blocks(const char *one, const char *other) {
  struct statfs first, second;
  struct stat here, there;
  // "VOL_CAP_INT_CLONE" has no other door than getattrlist(2); APFS alone has it.
  if (statfs(one, &first) != 0 || statfs(other, &second) != 0) return false;
  if (stat(one, &here) != 0 || stat(other, &there) != 0) return false;
  return here.st_dev == there.st_dev && first.f_fstypename[0] == 'a' &&
         first.f_fstypename[1] == 'p';
}

/// The kinds that have none are known.
static inline bool has_links(const char *folder) {
  struct statfs status;
  return statfs(folder, &status) != 0 ||
         (strcmp(status.f_fstypename, "msdos") != 0 && strcmp(status.f_fstypename, "exfat") != 0);
}

static inline void copy_extended_attributes(int from, int to) {
  (void)fcopyfile(from, to, NULL, COPYFILE_ACL | COPYFILE_XATTR);
}

/// "Get the protection class of a file from the EA, returns int" (sys/fcntl.h): it says whether a
/// file can be read while the device is locked.
static inline void copy_protection(int from, int to) {
  int class = fcntl(from, F_GETPROTECTIONCLASS);
  if (class > 0) (void)fcntl(to, F_SETPROTECTIONCLASS, class);
}

/// The system does not report it.
static inline bool is_open_elsewhere(int descriptor) {
  (void)descriptor;
  return false;
}

static inline int is_local(const char *path) {
  struct statfs status;
  if (statfs(path, &status) != 0) return -errno;
  return (status.f_flags & MNT_LOCAL) != 0;
}

/// getrusage(2): "the maximum resident set size utilized (in bytes)".
#define MEMORY_UNIT 1
#define SETTINGS_FOLDER "Library/Application Support"

static inline void limit_heaps(int count) { (void)count; }

#else

#include <linux/fs.h>
#include <linux/magic.h>
#include <limits.h>
#include <malloc.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <sys/xattr.h>

#ifdef SYS_openat2
#include <linux/openat2.h>
#endif

static inline struct timespec modified(const struct stat *status) { return status->st_mtim; }
static inline struct timespec changed(const struct stat *status) { return status->st_ctim; }

static inline int sync_to_disk(int descriptor) { return fsync(descriptor); }

/// "RENAME_NOREPLACE: Don't overwrite newpath of the rename. Return an error if newpath already
/// exists" (rename(2)).
static inline int rename_new(const char *path, const char *target) {
  return (int)syscall(SYS_renameat2, AT_FDCWD, path, AT_FDCWD, target, RENAME_NOREPLACE);
}

/// Whether a path is there and is what realpath() makes of it: absolute, each name once, no link.
///
/// realpath() asks for each name of a path, along all names before it. Here the folder is asked for
/// by one call: "disallow resolution of symbolic links during path resolution" (openat2(2),
/// RESOLVE_NO_SYMLINKS). The file itself is not opened: to close it would drop its locks. Where the
/// call is not known or not allowed, the answer is no.
static inline bool is_real_path(const char *path) {
#ifdef RESOLVE_NO_SYMLINKS
  char folder[PATH_MAX], link[1];
  if (path[0] != '/' || strlen(path) >= sizeof folder) return false;
  const char *last = path;
  for (const char *name = path; *name; name += strcspn(name, "/")) {
    last = name++;
    size_t length = strcspn(name, "/");
    if (length == 0 || (name[0] == '.' && length == 1)) return false;
    if (name[0] == '.' && name[1] == '.' && length == 2) return false;
  }
  size_t length = last == path ? 1 : (size_t)(last - path);
  memcpy(folder, path, length);
  folder[length] = '\0';
  struct open_how how = {
      .flags = O_PATH | O_DIRECTORY | O_CLOEXEC, .resolve = RESOLVE_NO_SYMLINKS};
  long found = syscall(SYS_openat2, AT_FDCWD, folder, &how, sizeof how);
  if (found < 0) return false;
  // "EINVAL: The named file is not a symbolic link" (readlink(2)).
  bool is_real = readlinkat((int)found, last + 1, link, sizeof link) < 0 && errno == EINVAL;
  close((int)found);
  return is_real;
#else
  (void)path;
  return false;
#endif
}

/// "Create an unnamed temporary regular file" (open(2), O_TMPFILE).
static inline int open_unnamed(const char *folder) {
  return open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
}

static inline int clone_file(int descriptor, const char *target, int *made) {
  *made = open(target, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (*made < 0) return -1;
  if (ioctl(*made, FICLONE, descriptor) != 0) return 0;
  close(*made);
  *made = -1;
  return 0;
}

/// Tried with files that have no names. The store's own file must not be opened for it: "if a
/// process closes any file descriptor referring to a file, then all of the process's locks on that
/// file are released" (fcntl(2)).
static inline bool shares_blocks(const char *one, const char *other) {
  static const char page[4096];
  int from = open_unnamed(one), to = open_unnamed(other);
  bool shares = from >= 0 && to >= 0 && write(from, page, sizeof page) == sizeof page &&
                ioctl(to, FICLONE, from) == 0;
  if (from >= 0) close(from);
  if (to >= 0) close(to);
  return shares;
}

/// The kinds that have none are known: FAT (linux/magic.h, MSDOS_SUPER_MAGIC) and exFAT.
static inline bool has_links(const char *folder) {
  struct statfs status;
  return statfs(folder, &status) != 0 ||
         (status.f_type != 0x4d44 && status.f_type != 0x2011bab0);
}

static inline void copy_extended_attributes(int from, int to) {
  ssize_t length = flistxattr(from, NULL, 0);
  if (length <= 0) return;
  char *names = malloc((size_t)length), *value = malloc(XATTR_SIZE_MAX);
  if (names != NULL && value != NULL) {
    length = flistxattr(from, names, (size_t)length);
    for (char *name = names; name < names + length;) {
      ssize_t size = fgetxattr(from, name, value, XATTR_SIZE_MAX);
      if (size >= 0) (void)fsetxattr(to, name, value, (size_t)size, 0);
      while (*name++ != 0) {}
    }
  }
  free(value);
  free(names);
}

static inline void copy_protection(int from, int to) {
  (void)from;
  (void)to;
}

/// "A write lease may be placed on a file only if there are no other open file descriptors for the
/// file" (fcntl(2), F_SETLEASE). It is given back at once; who opens the file then waits, and the
/// signal that reports it is one that is ignored unless a program handles it.
static inline bool is_open_elsewhere(int descriptor) {
  (void)fcntl(descriptor, F_SETSIG, SIGURG);
  if (fcntl(descriptor, F_SETLEASE, F_WRLCK) != 0) return errno == EAGAIN;
  (void)fcntl(descriptor, F_SETLEASE, F_UNLCK);
  return false;
}

/// Most disks are of a kind that has a number (linux/magic.h). Others, FUSE's above all, are known
/// by their name in mountinfo, which is a long text on a machine with many mounts.
static inline int is_local(const char *path) {
  struct statfs status;
  if (statfs(path, &status) != 0) return -1;
  switch (status.f_type) {
  case EXT4_SUPER_MAGIC:
  case XFS_SUPER_MAGIC:
  case BTRFS_SUPER_MAGIC:
  case TMPFS_MAGIC:
  case OVERLAYFS_SUPER_MAGIC: return 1;
  default: return -1;
  }
}

/// getrusage(2): "the maximum resident set size used (in kilobytes)".
#define MEMORY_UNIT 1024
/// "If $XDG_CONFIG_HOME is either not set or empty, a default equal to $HOME/.config should be
/// used" (XDG Base Directory Specification).
#define SETTINGS_FOLDER ".config"

/// By default glibc gives each thread "an arena" of its own, and what the thread that read the
/// models gave back is of no use to the one that runs. "If this parameter has a nonzero value, it
/// defines a hard limit on the maximum number of arenas" (mallopt(3), M_ARENA_MAX); glibc reads it
/// once, when a second thread asks for memory.
static inline void limit_heaps(int count) {
#ifdef M_ARENA_MAX
  (void)mallopt(M_ARENA_MAX, count);
#endif
}

#endif
