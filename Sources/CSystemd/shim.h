// The message bus (D-Bus), by sd-bus of libsystemd. systemd itself need not run.

#ifndef CHECKIN_CSYSTEMD_H
#define CHECKIN_CSYSTEMD_H

#include <stdint.h>
#include <systemd/sd-bus.h>

#endif
