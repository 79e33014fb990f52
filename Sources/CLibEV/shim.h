#ifndef STICKERPIT_CLIBEV_SHIM_H
#define STICKERPIT_CLIBEV_SHIM_H
#include <ev.h>
#include <string.h>

// Who is told of a loop's turns. libev's own initializers are macros, which Swift cannot import.
typedef struct {
  ev_check begins;
  ev_prepare ends;
  ev_idle more;
  void *owner;
  void (*on_begin)(void *);
  int (*on_end)(void *);
} stickerpit_turns;

static inline void stickerpit_turn_begins(struct ev_loop *loop, ev_check *watcher, int events) {
  (void)loop, (void)events;
  stickerpit_turns *turns = watcher->data;
  turns->on_begin(turns->owner);
}

static inline void stickerpit_turn_ends(struct ev_loop *loop, ev_prepare *watcher, int events) {
  (void)events;
  stickerpit_turns *turns = watcher->data;
  if (turns->on_end(turns->owner))
    ev_idle_start(loop, &turns->more);
  else
    ev_idle_stop(loop, &turns->more);
}

static inline void stickerpit_turn_goes_on(struct ev_loop *loop, ev_idle *watcher, int events) {
  (void)loop, (void)watcher, (void)events;
}

// Calls on_begin each time the loop has waited, before anything that it waited for, and on_end each
// time before it waits. If that returns 1 it looks for events without waiting and turns again.
static inline void stickerpit_watch_turns(
    struct ev_loop *loop, stickerpit_turns *turns, void *owner, void (*on_begin)(void *),
    int (*on_end)(void *)) {
  turns->owner = owner;
  turns->on_begin = on_begin;
  turns->on_end = on_end;
  ev_check_init(&turns->begins, stickerpit_turn_begins);
  ev_set_priority(&turns->begins, EV_MAXPRI);
  turns->begins.data = turns;
  ev_prepare_init(&turns->ends, stickerpit_turn_ends);
  turns->ends.data = turns;
  ev_idle_init(&turns->more, stickerpit_turn_goes_on);
  ev_check_start(loop, &turns->begins);
  ev_prepare_start(loop, &turns->ends);
}

#endif
