#ifndef STICKERPIT_CSYSTEMD_SHIM_H
#define STICKERPIT_CSYSTEMD_SHIM_H
#include <systemd/sd-daemon.h>
#endif
