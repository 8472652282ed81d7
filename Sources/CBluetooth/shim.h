// The kernel's Bluetooth sockets: addresses, options and controllers. Definitions alone: nothing is linked.

#ifndef CHECKIN_CBLUETOOTH_H
#define CHECKIN_CBLUETOOTH_H

#include <stdint.h>
#include <asm/ioctl.h>
#include <sys/socket.h>

#include <bluetooth/bluetooth.h>
#include <bluetooth/hci.h>
#include <bluetooth/l2cap.h>

// Macros with arithmetic or casts do not come over; these are plain numbers.
static const unsigned long checkin_hci_controllers = HCIGETDEVLIST;
static const unsigned long checkin_hci_controller = HCIGETDEVINFO;

#endif
