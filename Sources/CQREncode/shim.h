#ifndef STICKERPIT_CQRENCODE_SHIM_H
#define STICKERPIT_CQRENCODE_SHIM_H
#include <qrencode.h>
#endif
