#include "ProcessHost.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

// Child processes.

enum ph_end ph_end_of(int process, int *number) {
  siginfo_t info = {0};
  // waitid(2), WNOWAIT: "Leave the child in a waitable state".
  if (waitid(P_PID, (id_t)process, &info, WEXITED | WNOHANG | WNOWAIT) != 0) return PH_RUNS;
  if (info.si_signo != SIGCHLD) return PH_RUNS;
  *number = info.si_status;
  return info.si_code == CLD_EXITED ? PH_EXITED : PH_KILLED;
}

void ph_signal(int process, int number) {
  // kill(2): "If pid is less than -1, then sig is sent to every process in the process group whose
  // ID is -pid."
  (void)kill(getpgid(process) == process ? -process : process, number);
}

// Streams.

void ph_occupy_standard_streams(void) {
  // POSIX, open(): the "lowest numbered" free descriptor is taken. They stay as good as closed: the
  // first cannot be read from, the others cannot be written to.
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++) {
    if (fcntl(stream, F_GETFD) < 0) {
      (void)open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    }
  }
}

int ph_make_pipe(int ends[2]) {
  if (pipe(ends) != 0) return -errno;
  for (int i = 0; i < 2; i++) (void)fcntl(ends[i], F_SETFD, FD_CLOEXEC);
  return 0;
}

bool ph_is_terminal(int descriptor) { return isatty(descriptor) == 1; }

int ph_columns(int descriptor) {
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

void ph_outlive_readers(void) {
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

void ph_forward_signal(int number, int pipe) {
  atomic_store(&signal_pipe, pipe);
  // POSIX, sigaction(): with SA_RESETHAND "the disposition of the signal shall be reset to SIG_DFL"
  // on entry to the handler, so the second Ctrl-C ends the program at once.
  handle(number, SA_RESTART | SA_RESETHAND, write_number);
}
