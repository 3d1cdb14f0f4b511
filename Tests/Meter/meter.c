/// Runs a command and says what it took: meter [--watch FOLDER] COMMAND [ARGUMENT...]
///
/// Prints one line: status, seconds, seconds of processor time, bytes of memory at most, bytes
/// written. With a folder two more follow, at most: bytes that the folder took on the disk in
/// addition, and bytes of private memory, 0 where the system does not say. What the command prints
/// is dropped, what it complains of is not. A program of its own because a child's peak begins with
/// what its parent held: this one holds next to nothing.
#define _GNU_SOURCE
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "platform.h"

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static double seconds(struct timeval time) {
  return (double)time.tv_sec + (double)time.tv_usec * 1e-6;
}

static void become(char **command) {
  int nowhere = open("/dev/null", O_WRONLY);
  if (nowhere >= 0) dup2(nowhere, STDOUT_FILENO);
  execvp(command[0], command);
  perror(command[0]);
  _exit(127);
}

static long long found;

static int add(const char *path, const struct stat *file, int kind, struct FTW *place) {
  (void)path;
  (void)place;
  // A file of two names takes its blocks once.
  long long names = file->st_nlink > 1 ? (long long)file->st_nlink : 1;
  if (kind == FTW_F) found += (long long)file->st_blocks * 512 / names;
  return 0;
}

// What is removed meanwhile ends the walk early; the next one sees the rest.
static long long bytes_on_disk(const char *folder) {
  found = 0;
  nftw(folder, add, 16, FTW_PHYS);
  return found;
}

// proc(5): what is private and dirty is this process's alone, and cannot be read from a file again.
// The clean pages of its own program are private, too, where it runs once.
static long long private_bytes(pid_t process) {
  char path[64], line[256];
  snprintf(path, sizeof path, "/proc/%d/smaps_rollup", (int)process);
  FILE *file = fopen(path, "r");
  if (!file) return 0;
  long long kibibytes = 0;
  while (fgets(line, sizeof line, file)) {
    if (sscanf(line, "Private_Dirty: %lld", &kibibytes) == 1) break;
  }
  fclose(file);
  return kibibytes * 1024;
}

struct peaks {
  long long disk, memory;
};

// Looks every two milliseconds until the command has ended.
static pid_t watch(pid_t child, const char *folder, long long before, struct peaks *peaks,
                   int *status, struct rusage *usage) {
  struct timespec pause = {0, 2000000};
  pid_t ended;
  while ((ended = wait4(child, status, WNOHANG, usage)) == 0) {
    long long disk = bytes_on_disk(folder) - before, memory = private_bytes(child);
    if (disk > peaks->disk) peaks->disk = disk;
    if (memory > peaks->memory) peaks->memory = memory;
    nanosleep(&pause, NULL);
  }
  return ended;
}

static void say(int status, double took, const struct rusage *usage, const struct peaks *peaks) {
  int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  // Blocks of 512 bytes, whatever the file system's are.
  printf("%d %.6f %.6f %lld %lld", code, took, seconds(usage->ru_utime) + seconds(usage->ru_stime),
         (long long)usage->ru_maxrss * MAXRSS_UNIT, (long long)usage->ru_oublock * 512);
  if (peaks) printf(" %lld %lld", peaks->disk, peaks->memory);
  printf("\n");
}

int main(int count, char **words) {
  int is_watching = count > 2 && strcmp(words[1], "--watch") == 0;
  const char *folder = is_watching ? words[2] : NULL;
  char **command = words + (is_watching ? 3 : 1);
  if (!command[0]) return 2;
  long long before = folder ? bytes_on_disk(folder) : 0;
  double start = now();
  pid_t child = fork();
  if (child < 0) {
    perror("fork");
    return 1;
  }
  if (child == 0) become(command);
  int status;
  struct rusage usage;
  struct peaks peaks = {0, 0};
  pid_t ended = folder ? watch(child, folder, before, &peaks, &status, &usage)
                       : wait4(child, &status, 0, &usage);
  if (ended != child) {
    perror("wait4");
    return 1;
  }
  say(status, now() - start, &usage, folder ? &peaks : NULL);
  return 0;
}
