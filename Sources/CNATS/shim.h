#ifndef STICKERPIT_CNATS_SHIM_H
#define STICKERPIT_CNATS_SHIM_H
#include <nats/nats.h>
#endif
