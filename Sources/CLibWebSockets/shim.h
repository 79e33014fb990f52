// What Swift cannot import from libwebsockets: macros that are expressions.
#ifndef STICKERPIT_CLIBWEBSOCKETS_SHIM_H
#define STICKERPIT_CLIBWEBSOCKETS_SHIM_H
#include <libwebsockets.h>

// Bytes that lws_write() may use in front of the payload.
static inline int stickerpit_lws_pre(void) { return LWS_PRE; }

#endif
