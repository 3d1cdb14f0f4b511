/// Runs a command and says what it took: meter COMMAND [ARGUMENT...]
///
/// Prints one line: status, seconds, seconds of processor time, bytes of memory at most, bytes
/// written. What the command prints is dropped, what it complains of is not. A program of its own
/// because a child's peak begins with what its parent held: this one holds next to nothing.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
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

int main(int count, char **words) {
  if (count < 2) return 2;
  double start = now();
  pid_t child = fork();
  if (child < 0) {
    perror("fork");
    return 1;
  }
  if (child == 0) become(words + 1);
  int status;
  struct rusage usage;
  if (wait4(child, &status, 0, &usage) != child) {
    perror("wait4");
    return 1;
  }
  double took = now() - start;
  long long peak = (long long)usage.ru_maxrss * MAXRSS_UNIT;
  // Blocks of 512 bytes, whatever the file system's are.
  long long written = (long long)usage.ru_oublock * 512;
  int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  printf("%d %.6f %.6f %lld %lld\n", code, took,
         seconds(usage.ru_utime) + seconds(usage.ru_stime), peak, written);
  return 0;
}
