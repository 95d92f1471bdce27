/*
 * A disk that fails, put below SQLite with LD_PRELOAD. Of the files whose path holds FAULT_FILE, the FAULT_AT-th write or sync fails as FAULT_KIND
 * says (eio, enospc, short, fsync), and all after it while FAULT_LASTS is set. The variables are read at each of them: the program sets them as it goes.
 * A new FAULT_SESSION begins the count anew.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum verdict { PASS, FAIL_EIO, FAIL_ENOSPC, SHORTEN };

static const char *variable(const char *name) {
  const char *value = getenv(name);
  return value == NULL ? "" : value;
}

static int concerns(int fd) {
  char link[64], path[4096];
  const char *part = variable("FAULT_FILE");
  if (*part == '\0') return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = '\0';
  return strstr(path, part) != NULL;
}

static enum verdict judge(int fd, int is_sync) {
  static char session[64];
  static long count;
  if (!concerns(fd)) return PASS;
  const char *kind = variable("FAULT_KIND");
  if ((strcmp(kind, "fsync") == 0) != is_sync) return PASS;
  if (strcmp(session, variable("FAULT_SESSION")) != 0) {
    snprintf(session, sizeof session, "%s", variable("FAULT_SESSION"));
    count = 0;
  }
  long at = atol(variable("FAULT_AT"));
  count += 1;
  if (at <= 0 || count < at || (count > at && *variable("FAULT_LASTS") == '\0')) return PASS;
  setenv("FAULT_SEEN", "yes", 1);
  if (is_sync) return FAIL_EIO;
  if (strcmp(kind, "eio") == 0) return FAIL_EIO;
  if (strcmp(kind, "enospc") == 0) return FAIL_ENOSPC;
  return strcmp(kind, "short") == 0 ? SHORTEN : PASS;
}

#define REAL(name) \
  static __typeof__(name) *real; \
  if (real == NULL) real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

#define ANSWER(call, whole) \
  switch (judge(fd, 0)) { \
    case FAIL_EIO: errno = EIO; return -1; \
    case FAIL_ENOSPC: errno = ENOSPC; return -1; \
    case SHORTEN: if (length > 1) { size_t half = length / 2; return call; } /* fall through */ \
    default: return whole; \
  }

ssize_t write(int fd, const void *bytes, size_t length) {
  REAL(write);
  ANSWER(real(fd, bytes, half), real(fd, bytes, length))
}

ssize_t pwrite(int fd, const void *bytes, size_t length, off_t place) {
  REAL(pwrite);
  ANSWER(real(fd, bytes, half, place), real(fd, bytes, length, place))
}

ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t place) {
  REAL(pwrite64);
  ANSWER(real(fd, bytes, half, place), real(fd, bytes, length, place))
}

int fsync(int fd) {
  REAL(fsync);
  if (judge(fd, 1) == PASS) return real(fd);
  errno = EIO;
  return -1;
}

int fdatasync(int fd) {
  REAL(fdatasync);
  if (judge(fd, 1) == PASS) return real(fd);
  errno = EIO;
  return -1;
}
