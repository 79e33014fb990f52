#ifndef STICKERPIT_CLIBEV_SHIM_H
#define STICKERPIT_CLIBEV_SHIM_H
#include <ev.h>

// Calls back each time the loop has waited, before anything that it waited for. libev's own
// initializers are macros, which Swift cannot import.
static inline void stickerpit_ev_after_waiting(
    struct ev_loop *loop, ev_check *watcher, void *data,
    void (*callback)(struct ev_loop *, ev_check *, int)) {
  ev_check_init(watcher, callback);
  ev_set_priority(watcher, EV_MAXPRI);
  watcher->data = data;
  ev_check_start(loop, watcher);
}

#endif
