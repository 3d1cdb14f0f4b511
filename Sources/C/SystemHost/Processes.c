#include "platform.h"

#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "SystemHost.h"

// Limits.

int64_t sh_peak_memory(void) {
  struct rusage usage;
  return getrusage(RUSAGE_SELF, &usage) == 0 ? (int64_t)usage.ru_maxrss * MEMORY_UNIT : 0;
}

void sh_share_heap(void) { share_heap(); }

bool sh_can_open(int count) {
  int opened[64];
  int found = 0;
  if (count > (int)(sizeof opened / sizeof *opened)) count = sizeof opened / sizeof *opened;
  while (found < count && (opened[found] = open("/dev/null", O_RDONLY | O_CLOEXEC)) >= 0) found++;
  for (int i = 0; i < found; i++) close(opened[i]);
  return found == count;
}

bool sh_can_map(size_t count) {
  void *start = mmap(NULL, count, PROT_NONE, MAP_PRIVATE | MAP_ANON, -1, 0);
  return start != MAP_FAILED && munmap(start, count) == 0;
}

// Child processes.

enum sh_end sh_end_of(int process, int *number) {
  siginfo_t info = {0};
  // waitid(2), WNOWAIT: "Leave the child in a waitable state".
  if (waitid(P_PID, (id_t)process, &info, WEXITED | WNOHANG | WNOWAIT) != 0) return SH_RUNS;
  if (info.si_signo != SIGCHLD) return SH_RUNS;
  *number = info.si_status;
  return info.si_code == CLD_EXITED ? SH_EXITED : SH_KILLED;
}

void sh_signal(int process, int number) {
  // kill(2): "If pid is less than -1, then sig is sent to every process in the process group whose
  // ID is -pid."
  (void)kill(getpgid(process) == process ? -process : process, number);
}

const char *sh_settings_folder(void) { return SETTINGS_FOLDER; }

// Streams.

void sh_occupy_standard_streams(void) {
  // POSIX, open(): the "lowest numbered" free descriptor is taken. They stay as good as closed: the
  // first cannot be read from, the others cannot be written to.
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++) {
    if (fcntl(stream, F_GETFD) < 0) {
      (void)open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    }
  }
}

int sh_make_pipe(int ends[2]) {
  if (pipe(ends) != 0) return -errno;
  for (int i = 0; i < 2; i++) (void)fcntl(ends[i], F_SETFD, FD_CLOEXEC);
  return 0;
}

bool sh_is_terminal(int descriptor) { return isatty(descriptor) == 1; }

int sh_columns(int descriptor) {
  struct winsize size;
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

// Signals. One that was ignored from the start, as a shell has it for jobs in the background, stays
// ignored.

static void handle(int number, int flags, void (*handler)(int)) {
  struct sigaction action;
  if (sigaction(number, NULL, &action) != 0 || action.sa_handler == SIG_IGN) return;
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigemptyset(&action.sa_mask);
  (void)sigaction(number, &action, NULL);
}

static void do_nothing(int number) { (void)number; }

void sh_outlive_readers(void) {
  // Caught and not ignored, so that programs that are started have it as ever: "Signals set to be
  // caught by the calling process image shall be set to the default action in the new process
  // image" (POSIX, exec).
  handle(SIGPIPE, SA_RESTART, do_nothing);
}

// A handler may touch little else than an atomic.
static atomic_int signal_pipe = -1;

static void write_number(int number) {
  int saved = errno;
  unsigned char byte = (unsigned char)number;
  ssize_t written = write(atomic_load(&signal_pipe), &byte, 1);
  (void)written;
  errno = saved;
}

void sh_forward_signal(int number, int pipe) {
  atomic_store(&signal_pipe, pipe);
  // POSIX, sigaction(): with SA_RESETHAND "the disposition of the signal shall be reset to SIG_DFL"
  // on entry to the handler, so the second Ctrl-C ends the program at once.
  handle(number, SA_RESTART | SA_RESETHAND, write_number);
}
