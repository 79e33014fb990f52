// Stands between a process and the files below one folder (LD_PRELOAD): writes down what is done to
// them, and lets some of it fail, as a full, broken or slow disk does. Told by the environment:
//
//   DISK_FAULTS_DIR    the folder, as an absolute path without symbolic links
//   DISK_FAULTS_TRACE  a file to which every operation is appended, in its order (disktrace.py)
//   DISK_FAULTS_FAIL   ERR@KIND:N[+M], several with commas between: of the operations of a kind the
//                      N-th and the M-1 after it fail. KIND is open, write, sync, truncate, unlink,
//                      rename or mkdir. ERR is ENOSPC, EIO, `torn` (half of the bytes are written,
//                      then EIO) or `short` (half are written, and that is told)
//   DISK_FAULTS_SLOW   KIND:milliseconds that each operation of a kind takes longer
//   DISK_FAULTS_AFTER  a file: operations fail, are slow and are counted only while it is there
//
// Operations on those files are done one at a time, so that the trace's order is the true one.
// Everything else passes, and so do reads and locks. The system is called directly: the trace's own
// writes must not come back here.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum kind { START, OPEN, CLOSE, WRITE, TRUNCATE, SYNC, UNLINK, RENAME, MKDIR, KINDS };
static const char *const names[KINDS] = {"",     "open",   "",       "write", "truncate",
                                         "sync", "unlink", "rename", "mkdir"};

// What stands before the path and the data of each entry of the trace.
struct __attribute__((packed)) entry {
  uint64_t nanoseconds;
  int64_t result;    // or minus the error's number
  uint64_t argument; // where it writes, the size that it cuts to, or how it opens
  uint32_t handle;   // the how-manieth of this process's open files it is about
  uint32_t data_length;
  uint16_t path_length;
  uint8_t kind;
};

// An open file below the folder. It is never freed: a process opens few.
struct file {
  uint32_t handle;
  char path[];
};

struct rule {
  enum kind kind;
  enum { FAILS, TORN, SHORT } manner;
  int error;
  unsigned long first, count, seen;
};

#define MOST_FILES 65536
static struct file *_Atomic files[MOST_FILES];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static const char *folder, *after;
static size_t folder_length;
static uint32_t handles;
static struct rule rules[16];
static int trace = -1, rule_count;
static enum kind slow_kind;
static long slow_milliseconds;

static void give_up(const char *why, const char *text) {
  dprintf(2, "shim: %s: %s\n", why, text);
  _exit(70);
}

static enum kind kind_of(const char *text, size_t length) {
  for (enum kind kind = OPEN; kind < KINDS; kind++)
    if (length > 0 && strlen(names[kind]) == length && !strncmp(names[kind], text, length)) return kind;
  give_up("no kind of operation", text);
  return START;
}

static void add_rule(char *text) {
  char *at = strchr(text, '@'), *colon = at ? strchr(at, ':') : NULL;
  if (!colon || rule_count == 16) give_up("no ERR@KIND:N[+M]", text);
  *at = 0;
  struct rule rule = {.kind = kind_of(at + 1, colon - at - 1), .error = EIO, .count = 1};
  if (!strcmp(text, "ENOSPC")) rule.error = ENOSPC;
  else if (!strcmp(text, "torn")) rule.manner = TORN;
  else if (!strcmp(text, "short")) rule.manner = SHORT;
  else if (strcmp(text, "EIO")) give_up("no such error", text);
  if (rule.manner != FAILS && rule.kind != WRITE) give_up("only for writes", text);
  rule.first = strtoul(colon + 1, &colon, 10);
  if (*colon == '+') rule.count = strtoul(colon + 1, NULL, 10);
  rules[rule_count++] = rule;
}

// MARK: The trace

static void write_down(enum kind kind, uint32_t handle, const char *path, uint64_t argument,
                       const void *data, size_t length, int64_t result) {
  if (trace < 0) return;
  struct timespec now;
  int error = errno;
  clock_gettime(CLOCK_MONOTONIC, &now);
  struct entry entry = {
      .nanoseconds = now.tv_sec * 1000000000ull + now.tv_nsec,
      .result = result < 0 ? -error : result, .argument = argument, .handle = handle,
      .data_length = result < 0 ? 0 : length, .path_length = strlen(path), .kind = kind};
  struct iovec parts[] = {{&entry, sizeof entry}, {(void *)path, entry.path_length},
                          {(void *)data, entry.data_length}};
  ssize_t size = sizeof entry + entry.path_length + entry.data_length;
  // In one piece: a process that is killed has written it or not.
  if (syscall(SYS_writev, trace, parts, 3) != size) give_up("the trace can't be written", path);
  errno = error;
}

__attribute__((constructor)) static void begin(void) {
  folder = getenv("DISK_FAULTS_DIR");
  if (!folder) return;
  folder_length = strlen(folder);
  after = getenv("DISK_FAULTS_AFTER");
  char *fail = getenv("DISK_FAULTS_FAIL"), *rest = NULL;
  fail = fail ? strdup(fail) : NULL;
  for (char *one = fail ? strtok_r(fail, ",", &rest) : NULL; one; one = strtok_r(NULL, ",", &rest))
    add_rule(one);
  const char *slow = getenv("DISK_FAULTS_SLOW"), *colon = slow ? strchr(slow, ':') : NULL;
  if (slow && !colon) give_up("no KIND:milliseconds", slow);
  if (slow) slow_kind = kind_of(slow, colon - slow), slow_milliseconds = atol(colon + 1);
  const char *path = getenv("DISK_FAULTS_TRACE");
  if (!path) return;
  trace = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (trace < 0) give_up("no trace", path);
  write_down(START, 0, "", getpid(), NULL, 0, 0);
}

// MARK: Which files, and which faults

// A path as seen from the folder; NULL for one outside, "" for the folder itself.
static const char *inside(const char *path) {
  if (!folder || !path || strncmp(path, folder, folder_length)) return NULL;
  path += folder_length;
  if (*path && *path != '/') return NULL;
  while (*path == '/') path++;
  return path;
}

static struct file *known(int descriptor) {
  return descriptor >= 0 && descriptor < MOST_FILES ? files[descriptor] : NULL;
}
// Whether the disk is faulty now.
static bool is_on(void) { return !after || !syscall(SYS_faccessat, AT_FDCWD, after, F_OK); }

// Begins an operation: waits as long as a slow disk takes, and keeps others out until `leave`.
// Gives the rule by which it is to fail.
static struct rule *enter(enum kind kind) {
  int error = errno;
  if (kind == slow_kind && is_on()) {
    struct timespec pause = {slow_milliseconds / 1000, slow_milliseconds % 1000 * 1000000};
    while (nanosleep(&pause, &pause)) {}
  }
  pthread_mutex_lock(&mutex);
  struct rule *found = NULL;
  for (struct rule *rule = rules; rule < rules + rule_count; rule++) {
    if (rule->kind != kind || !is_on() || ++rule->seen < rule->first) continue;
    if (!found && rule->seen - rule->first < rule->count) found = rule;
  }
  errno = error;
  return found;
}

static void leave(void) { pthread_mutex_unlock(&mutex); }
static long refused(const struct rule *rule) {
  errno = rule->error;
  return -1;
}

// MARK: What the process calls

static int open_below(int place, const char *path, int flags, mode_t mode) {
  const char *own = place == AT_FDCWD || (path && *path == '/') ? inside(path) : NULL;
  if (!own) return syscall(SYS_openat, place, path, flags, mode);
  struct rule *rule = enter(OPEN);
  int result = rule ? refused(rule) : syscall(SYS_openat, place, path, flags, mode);
  uint32_t handle = ++handles;
  if (result >= MOST_FILES) give_up("too many files are open", path);
  if (result >= 0) {
    struct file *file = malloc(sizeof *file + strlen(own) + 1);
    file->handle = handle;
    strcpy(file->path, own);
    files[result] = file;
  }
  write_down(OPEN, handle, own, flags, NULL, 0, result);
  leave();
  return result;
}

// The mode of a file that is made.
#define MODE(flags)                                                              \
  va_list rest;                                                                  \
  va_start(rest, flags);                                                         \
  mode_t mode = (flags) & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;      \
  va_end(rest);

int open(const char *path, int flags, ...) {
  MODE(flags)
  return open_below(AT_FDCWD, path, flags, mode);
}

int openat(int place, const char *path, int flags, ...) {
  MODE(flags)
  return open_below(place, path, flags, mode);
}

int open64(const char *path, int flags, ...) __attribute__((alias("open")));
int openat64(int place, const char *path, int flags, ...) __attribute__((alias("openat")));

int creat(const char *path, mode_t mode) {
  return open_below(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}

int close(int descriptor) {
  struct file *file = known(descriptor);
  if (!file) return syscall(SYS_close, descriptor);
  enter(CLOSE);
  files[descriptor] = NULL;
  int result = syscall(SYS_close, descriptor);
  write_down(CLOSE, file->handle, file->path, 0, NULL, 0, result);
  leave();
  return result;
}

// At its place, or where the file stands if that is -1.
static ssize_t write_below(int descriptor, const void *data, size_t length, off_t place) {
  struct file *file = known(descriptor);
  struct rule *rule = enter(WRITE);
  bool is_placed = place >= 0;
  if (!is_placed) place = syscall(SYS_lseek, descriptor, 0, SEEK_CUR);
  size_t amount = rule ? (length + 1) / 2 : length;
  ssize_t result = rule && rule->manner == FAILS ? refused(rule)
                   : is_placed ? syscall(SYS_pwrite64, descriptor, data, amount, place)
                               : syscall(SYS_write, descriptor, data, amount);
  // What is told of a torn write is not what the disk has.
  write_down(WRITE, file->handle, file->path, place, data, result < 0 ? 0 : result, result);
  if (rule && rule->manner == TORN) result = refused(rule);
  leave();
  return result;
}

ssize_t write(int descriptor, const void *data, size_t length) {
  return known(descriptor) ? write_below(descriptor, data, length, -1)
                           : syscall(SYS_write, descriptor, data, length);
}

ssize_t pwrite(int descriptor, const void *data, size_t length, off_t place) {
  return known(descriptor) ? write_below(descriptor, data, length, place)
                           : syscall(SYS_pwrite64, descriptor, data, length, place);
}

ssize_t pwrite64(int descriptor, const void *data, size_t length, off_t place)
    __attribute__((alias("pwrite")));

// An operation on an open file that one number describes.
static int change(enum kind kind, long call, int descriptor, off_t size) {
  struct file *file = known(descriptor);
  if (!file) return syscall(call, descriptor, size);
  struct rule *rule = enter(kind);
  int result = rule ? refused(rule) : syscall(call, descriptor, size);
  write_down(kind, file->handle, file->path, size, NULL, 0, result);
  leave();
  return result;
}

int ftruncate(int descriptor, off_t size) { return change(TRUNCATE, SYS_ftruncate, descriptor, size); }
int ftruncate64(int descriptor, off_t size) __attribute__((alias("ftruncate")));
int fsync(int descriptor) { return change(SYNC, SYS_fsync, descriptor, 0); }
int fdatasync(int descriptor) { return change(SYNC, SYS_fdatasync, descriptor, 0); }

int rename(const char *from, const char *to) {
  const char *own = inside(from), *other = inside(to);
  if (!own || !other) return syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
  struct rule *rule = enter(RENAME);
  int result = rule ? refused(rule) : syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
  write_down(RENAME, 0, own, 0, other, strlen(other), result);
  leave();
  return result;
}

// Makes a folder, or takes a file's name away.
static int change_name(enum kind kind, long call, const char *path, mode_t mode) {
  const char *own = inside(path);
  if (!own) return syscall(call, AT_FDCWD, path, mode);
  struct rule *rule = enter(kind);
  int result = rule ? refused(rule) : syscall(call, AT_FDCWD, path, mode);
  write_down(kind, 0, own, mode, NULL, 0, result);
  leave();
  return result;
}

int mkdir(const char *path, mode_t mode) { return change_name(MKDIR, SYS_mkdirat, path, mode); }
int unlink(const char *path) { return change_name(UNLINK, SYS_unlinkat, path, 0); }
