// Threads: Foundation starts them as well, and does not report it when the system has none left, so
// that a caller waits for ever for its work.

#include "SystemHost.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

typedef struct errand {
  void (*body)(void *);
  void *context;
} errand;

static void *run(void *pointer) {
  errand todo = *(errand *)pointer;
  free(pointer);
  todo.body(todo.context);
  return NULL;
}

int sh_start_thread(size_t stack, void (*body)(void *), void *context) {
  pthread_attr_t attributes;
  int error = pthread_attr_init(&attributes);
  if (error) return error;
  errand *todo = malloc(sizeof *todo);
  if (todo) {
    *todo = (errand){body, context};
    pthread_t thread;
    error = pthread_attr_setstacksize(&attributes, stack);
    if (!error) error = pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    if (!error) error = pthread_create(&thread, &attributes, run, todo);
    if (error) free(todo);
  } else {
    error = ENOMEM;
  }
  pthread_attr_destroy(&attributes);
  return error;
}
