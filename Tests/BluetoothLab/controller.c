// Switches Bluetooth controllers through the kernel's management socket, as bluetoothd would, without bluetoothd.
//
//   controller on INDEX          powered, with Low Energy and Classic, connectable, and pairing without questions
//   controller off INDEX
//   controller advertise INDEX   connectable over Low Energy, until the next connection
//   controller quiet INDEX       no longer
//   controller address INDEX     prints its address
//
// The commands and their numbers are those of BlueZ's doc/mgmt-api.txt. A controller that is busy, since another program
// such as bluetoothd switches it at the same moment, is asked again for ten seconds.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

enum {
  READ_INFORMATION = 0x0004,
  SET_POWERED = 0x0005,
  SET_CONNECTABLE = 0x0007,
  SET_BONDABLE = 0x0009,
  SET_SIMPLE_PAIRING = 0x000b,
  SET_LOW_ENERGY = 0x000d,
  ADD_ADVERTISING = 0x003e,
  REMOVE_ADVERTISING = 0x003f,
};

enum { BUSY = 0x0a };
enum { HEADER = 6, PROTOCOL_HCI = 1, CHANNEL_CONTROL = 3, NO_DEVICE = 0xffff, COMMAND_COMPLETE = 1, COMMAND_STATUS = 2 };

static int management;
static uint8_t reply[1024];

// Sends a command and waits for its own answer. Returns its status, 0 for success.
static int send_once(int command, int index, const void *data, size_t length) {
  uint8_t packet[HEADER + 64] = {command, command >> 8, index, index >> 8, length, length >> 8};
  memcpy(packet + HEADER, data, length);
  if (write(management, packet, HEADER + length) < 0) return 255;
  for (;;) {
    ssize_t count = read(management, reply, sizeof reply);
    if (count < 0) return 255;
    if (count < HEADER + 3 || reply[1] != 0 || (reply[0] != COMMAND_COMPLETE && reply[0] != COMMAND_STATUS)) continue;
    if ((reply[HEADER] | reply[HEADER + 1] << 8) == command) return reply[HEADER + 2];
  }
}

static int send_command(int command, int index, const void *data, size_t length) {
  int status = send_once(command, index, data, length);
  for (int tries = 0; status == BUSY && tries < 200; tries++) {
    usleep(50000);
    status = send_once(command, index, data, length);
  }
  return status;
}

static int set(int command, int index, uint8_t value) { return send_command(command, index, &value, 1); }

static int switch_on(int index) {
  // The settings are made while it is off: some cannot be changed later.
  int status = set(SET_POWERED, index, 0);
  status |= set(SET_LOW_ENERGY, index, 1) | set(SET_SIMPLE_PAIRING, index, 1);
  status |= set(SET_BONDABLE, index, 1) | set(SET_CONNECTABLE, index, 1);
  return status | set(SET_POWERED, index, 1);
}

static int advertise(int index) {
  // Instance 1, connectable and discoverable, no bound of time, no data.
  const uint8_t packet[] = {1, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  set(REMOVE_ADVERTISING, index, 0);
  return send_command(ADD_ADVERTISING, index, packet, sizeof packet);
}

static int print_address(int index) {
  int status = send_command(READ_INFORMATION, index, "", 0);
  if (status != 0) return status;
  const uint8_t *address = reply + HEADER + 3;
  printf("%02X:%02X:%02X:%02X:%02X:%02X\n", address[5], address[4], address[3], address[2], address[1], address[0]);
  return 0;
}

int main(int count, char **arguments) {
  if (count != 3) {
    fprintf(stderr, "usage: controller on|off|advertise|quiet|address INDEX\n");
    return 64;
  }
  struct {
    uint16_t family, device, channel;
  } address = {AF_BLUETOOTH, NO_DEVICE, CHANNEL_CONTROL};
  struct timeval patience = {.tv_sec = 20};
  management = socket(AF_BLUETOOTH, SOCK_RAW | SOCK_CLOEXEC, PROTOCOL_HCI);
  if (management < 0 || bind(management, (struct sockaddr *)&address, sizeof address) != 0) {
    perror("controller: the management socket");
    return 69;
  }
  setsockopt(management, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  const char *what = arguments[1];
  int index = atoi(arguments[2]), status = 254;
  if (strcmp(what, "on") == 0) status = switch_on(index);
  else if (strcmp(what, "off") == 0) status = set(SET_POWERED, index, 0);
  else if (strcmp(what, "advertise") == 0) status = advertise(index);
  else if (strcmp(what, "quiet") == 0) status = set(REMOVE_ADVERTISING, index, 0);
  else if (strcmp(what, "address") == 0) status = print_address(index);
  if (status != 0) fprintf(stderr, "controller %s %d: status 0x%02x\n", what, index, status);
  return status == 0 ? 0 : 1;
}
