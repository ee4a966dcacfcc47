// SPDX-License-Identifier: Apache-2.0
// The first and only process of the emulated machine besides the program: runs the program and reports to tools/emulate.
//
// What the program writes goes out through the parallel port, whose bytes the emulator hands over at once, in frames: a letter,
// the length (2 bytes, little-endian), the bytes.
//   B  init has begun: 8 bytes, the time stamp counter, which in this machine counts instructions
//   O  the program wrote this on its standard output
//   E  ... on its standard error
//   X  it ended: 1 byte, 0 (exit status follows) or 1 (a signal killed it), 1 byte, which; 8 bytes, the time stamp counter
//   F  init could not do its work: a text
#define _GNU_SOURCE  // pipe2
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/io.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <x86intrin.h>

enum { PRINTER_DATA = 0x378, PRINTER_CONTROL = 0x37a, ONLINE = 0x0c, STROBE = 0x01, SHUTDOWN = 0x8900 };

static void put(uint8_t byte) {
  outb(byte, PRINTER_DATA);
  outb(ONLINE | STROBE, PRINTER_CONTROL);
  outb(ONLINE, PRINTER_CONTROL);
}

static void frame(char kind, const void *bytes, size_t size) {
  put((uint8_t)kind);
  put((uint8_t)size);
  put((uint8_t)(size >> 8));
  for (size_t i = 0; i < size; i++) put(((const uint8_t *)bytes)[i]);
}

static _Noreturn void power_off(void) {
  for (const char *word = "Shutdown"; *word != 0; word++) outb((uint8_t)*word, SHUTDOWN);
  for (;;) pause();
}

static _Noreturn void give_up(const char *what) {
  char text[256];
  frame('F', text, (size_t)snprintf(text, sizeof text, "%s: %s", what, strerror(errno)));
  power_off();
}

// A file of strings, each ended by a zero byte, as an array for execve.
static char **strings(const char *path) {
  struct stat about;
  int in = open(path, O_RDONLY | O_CLOEXEC);
  if (in < 0 || fstat(in, &about) != 0) give_up(path);
  size_t size = (size_t)about.st_size, count = 0, at = 0;
  char *bytes = malloc(size + 1), **array = malloc((size + 1) * sizeof *array);
  if (bytes == NULL || array == NULL) give_up(path);
  for (ssize_t got = 1; at < size && got > 0; at += (size_t)got)
    if ((got = read(in, bytes + at, size - at)) < 0) give_up(path);
  close(in);
  bytes[size] = 0;
  for (at = 0; at < size; at += strlen(bytes + at) + 1) array[count++] = bytes + at;
  array[count] = NULL;
  return array;
}

// Passes on what is there; false at the end of the stream.
static int relay(int from, char kind) {
  static char bytes[32768];
  ssize_t got = read(from, bytes, sizeof bytes);
  if (got < 0 && errno != EINTR) give_up("read");
  if (got > 0) frame(kind, bytes, (size_t)got);
  return got != 0;
}

int main(void) {
  if (iopl(3) != 0) {
    perror("iopl");  // goes to the kernel's console, the only way left
    return 1;
  }
  outb(ONLINE, PRINTER_CONTROL);
  uint64_t now = __rdtsc();
  frame('B', &now, sizeof now);

  if (mount("proc", "/proc", "proc", 0, "") != 0) give_up("mount /proc");
  if (mount("dev", "/dev", "devtmpfs", 0, "") != 0) give_up("mount /dev");
  symlink("/proc/self/fd", "/dev/fd");
  char **arguments = strings("/emulate/arguments"), **environment = strings("/emulate/environment"),
       **directory = strings("/emulate/directory");
  int out[2], err[2];
  if (pipe2(out, O_CLOEXEC) != 0 || pipe2(err, O_CLOEXEC) != 0) give_up("pipe");

  pid_t program = fork();
  if (program < 0) give_up("fork");
  if (program == 0) {
    int in = open("/emulate/input", O_RDONLY);
    if (in < 0 || dup2(in, 0) < 0 || dup2(out[1], 1) < 0 || dup2(err[1], 2) < 0 || chdir(directory[0]) != 0)
      give_up(directory[0]);
    if (in > 2) close(in);
    if (iopl(0) != 0) give_up("iopl");
    execve(arguments[0], arguments, environment);
    if (iopl(3) != 0) _exit(127);
    give_up(arguments[0]);
  }
  close(out[1]);
  close(err[1]);

  struct pollfd streams[2] = {{.fd = out[0], .events = POLLIN}, {.fd = err[0], .events = POLLIN}};
  int status = 0, running = 1;
  for (int open_streams = 2; open_streams > 0;) {
    if (poll(streams, 2, running ? 100 : 0) == 0 && !running)
      break;  // a child of the program may hold the pipes: not our concern
    for (int i = 0; i < 2; i++)
      if (streams[i].revents != 0 && !relay(streams[i].fd, i == 0 ? 'O' : 'E')) {
        streams[i].fd = -1;  // poll ignores it from now on
        open_streams--;
      }
    if (running && waitpid(program, &status, WNOHANG) == program) running = 0;
  }
  if (running && waitpid(program, &status, 0) != program) give_up("wait");

  uint8_t end[10] = {WIFSIGNALED(status), WIFSIGNALED(status) ? (uint8_t)WTERMSIG(status) : (uint8_t)WEXITSTATUS(status)};
  now = __rdtsc();
  memcpy(end + 2, &now, sizeof now);
  frame('X', end, sizeof end);
  power_off();
}
