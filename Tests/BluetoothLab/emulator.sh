# Part of “lab”: builds BlueZ's emulator of controllers, btvirt, from Debian's source package.
#
# Debian's own build of it gives every link the same handle, so that a second link on a controller breaks both; a kiosk
# could have one phone at a time. Its controllers take one small packet at a time. And they tell of who advertises within
# the microseconds in which looking is switched on, before Linux takes note, and once; so most rounds of looking heard
# nobody, and finding a kiosk took a minute at times.

compile_emulator() {
  local folder=$cache/source
  rm -rf "$folder"
  mkdir -p "$folder/lists/partial" "$folder/bluez"
  # apt's own sources, as sources of source packages, in lists that are ours.
  local keys=/usr/share/keyrings/debian-archive-keyring.gpg
  [ -f "$keys" ] && keys="[signed-by=$keys]" || keys=
  apt-get indextargets --format '$(ORIGIN) $(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' \
    | awk -v keys="$keys" '$1 == "Debian" { print "deb-src", keys, $2, $3, $4 }' | sort -u > "$folder/sources.list"
  local apt=(apt-get -qq -o "Dir::Etc::sourcelist=$folder/sources.list" -o Dir::Etc::sourceparts=-
    -o "Dir::State::lists=$folder/lists" -o APT::Sandbox::User=root)
  {
    "${apt[@]}" update && (cd "$folder" && "${apt[@]}" source --download-only bluez) \
      && tar -x -C "$folder/bluez" --strip-components 1 -f "$folder"/bluez_*.orig.tar.*
  } > "$cache/log" 2>&1 || {
    cat "$cache/log" >&2
    fail "The source of BlueZ's emulator cannot be downloaded; the reason is above."
  }
  (cd "$folder/bluez" && change_emulator && build_emulator "$cache/tools/own/btvirt") > "$cache/log" 2>&1 || {
    cat "$cache/log" >&2
    fail "BlueZ's emulator cannot be built; the reason is above."
  }
  rm -rf "$folder"
}

# Each link gets a handle of its own, the controllers have buffers as real ones have, and an advertiser is heard 20 ms
# after somebody has begun to look, as the air would have it.
change_emulator() {
  sed -i \
    -e 's/return conn_add(dev, bdaddr, bdaddr_type, ACL_HANDLE, HCI_ACLDATA_PKT);/static uint16_t last; last = last % 200 + 1; return conn_add(dev, bdaddr, bdaddr_type, last, HCI_ACLDATA_PKT);/' \
    -e 's/btdev->acl_mtu = [0-9]*;/btdev->acl_mtu = 1021;/' \
    -e 's/btdev->acl_max_pkt = 1;/btdev->acl_max_pkt = 8;/' emulator/btdev.c
  local kind
  for kind in scan ext_scan; do
    sed -i "s/^static int cmd_set_${kind}_enable_complete(/static int tell_${kind}(/" emulator/btdev.c
    later "$kind" > later.c
    sed -i "/^static int tell_${kind}(/,/^}/ { /^}/ r later.c
      }" emulator/btdev.c
  done
  rm later.c
  local change
  for change in 'last % 200' '^static int tell_scan(' '^static int tell_ext_scan(' tell_ext_scan_later; do
    grep -q "$change" emulator/btdev.c || { echo "emulator/btdev.c is not as it was: it has no “$change” now"; return 1; }
  done
}

# later KIND: what calls “tell_KIND”, the emulator's own function, after a while.
later() {
  cat << C

static bool tell_$1_later(void *dev)
{
	struct bt_hci_cmd_le_set_$1_enable command = { .enable = 1 };

	tell_$1(dev, &command, sizeof(command));
	return false;
}

static int cmd_set_$1_enable_complete(struct btdev *dev, const void *data, uint8_t len)
{
	const struct bt_hci_cmd_le_set_$1_enable *command = data;

	if (command->enable)
		timeout_add(20, tell_$1_later, dev, NULL);
	return 0;
}
C
}

# build_emulator TARGET: without the project's own build, which would configure all of BlueZ.
build_emulator() {
  local sources header
  # The C files between the name of the list and its end.
  sources=$(awk '/^emulator_btvirt_SOURCES/ { inside = 1 } inside { print; if (!/\\$/) exit }' Makefile.tools \
    | grep -o 'emulator/[a-z]*\.c')
  mkdir -p lib/bluetooth
  for header in lib/*.h; do ln -sf "../${header##*/}" lib/bluetooth/; done
  : > config.h
  # shellcheck disable=SC2086
  "$(compiler)" -O1 -w -D_GNU_SOURCE -DHAVE_CONFIG_H '-DVERSION="lab"' -include stdint.h \
    -I. -Ilib -Isrc -Imonitor -Iemulator $sources lib/bluetooth.c lib/hci.c \
    src/shared/{queue,util,crypto,ecc,ringbuf,mainloop,mainloop-notify,io-mainloop,timeout-mainloop}.c -o "$1"
}
