// The counter: one sequence for every call of the process that changes a file. PIPELINE_FAULTS says
// what to do at one of them: "kill:17", "tear:17", "5:17" (the 17th call fails with errno 5),
// "28:17+" (it and all that follow do), "term:17" (SIGTERM comes before it) or "stop:17" (the
// process stops before it, until it gets SIGCONT).
// PIPELINE_FAULTS_LOG names a file that gets a line for each call.

#ifdef FAULTS

#include "Faults.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "platform.h"

enum { PASS, KILL, TEAR, FAIL, INTERRUPT, STOP };

static struct {
  int action, error, rest, log;
  long point, count;
} plan = {.log = -1};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void read_environment(void) {
  const char *log = getenv("PIPELINE_FAULTS_LOG");
  if (log) plan.log = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  const char *text = getenv("PIPELINE_FAULTS");
  const char *colon = text ? strchr(text, ':') : NULL;
  if (!colon) return;
  char *end;
  plan.point = strtol(colon + 1, &end, 10);
  plan.rest = *end == '+';
  if (strncmp(text, "kill:", 5) == 0) {
    plan.action = KILL;
  } else if (strncmp(text, "tear:", 5) == 0) {
    plan.action = TEAR;
  } else if (strncmp(text, "term:", 5) == 0) {
    plan.action = INTERRUPT;
  } else if (strncmp(text, "stop:", 5) == 0) {
    plan.action = STOP;
  } else {
    plan.action = FAIL;
    plan.error = atoi(text);
  }
}

static void note(const char *call, const char *path) {
  if (plan.log < 0) return;
  char line[4200];
  int length = snprintf(line, sizeof line, "%ld\t%s\t%s\n", plan.count, call, path ? path : "");
  if (length >= (int)sizeof line) length = (int)sizeof line - 1;
  if (length > 0 && write(plan.log, line, (size_t)length) < 0) plan.log = -1;
}

/// Asks this process to stop, and waits until it will have heard of it.
static void interrupt(void) {
  kill(getpid(), SIGTERM);
  usleep(5000);
}

/// Stops this process before the call is made.
static void stop(void) {
  // No process would send SIGCONT when the process that waits for this is gone.
  end_with_parent();
  // To this very thread: it is stopped before `raise` returns, and with it all others.
  raise(SIGSTOP);
}

int faults_next(const char *call, const char *path) {
  pthread_once(&once, read_environment);
  if (plan.action == PASS && plan.log < 0) return 0;
  pthread_mutex_lock(&lock);
  plan.count++;
  note(call, path);
  int isHit = plan.count == plan.point || (plan.rest && plan.count > plan.point);
  int action = isHit ? plan.action : PASS;
  // A thread that dies keeps the lock: no other thread gets past here meanwhile.
  if (action == KILL) faults_die();
  if (action != TEAR) pthread_mutex_unlock(&lock);
  if (action == INTERRUPT) interrupt();
  if (action == STOP) stop();
  if (action == FAIL) errno = plan.error;
  return action == FAIL ? plan.error : action == TEAR ? FAULTS_TEAR : 0;
}

int faults_count_on_space(void) { return getenv("PIPELINE_FAULTS_SPACE") != NULL; }

long faults_longest_log(void) {
  const char *text = getenv("PIPELINE_FAULTS_LONGEST_LOG");
  return text ? strtol(text, NULL, 10) : 0;
}

void faults_die(void) {
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

#endif
