# Part of “lab”: builds BlueZ's emulator of controllers, btvirt, from Debian's source package.
#
# Debian's own build of it gives every link the same handle, so that a second link on a controller breaks both; a kiosk
# could have one phone at a time. And its controllers take one small packet at a time. Two lines are changed for that.

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

# Each link gets a handle of its own, and the controllers have buffers as real ones have.
change_emulator() {
  sed -i \
    -e 's/return conn_add(dev, bdaddr, bdaddr_type, ACL_HANDLE, HCI_ACLDATA_PKT);/static uint16_t last; last = last % 200 + 1; return conn_add(dev, bdaddr, bdaddr_type, last, HCI_ACLDATA_PKT);/' \
    -e 's/btdev->acl_mtu = [0-9]*;/btdev->acl_mtu = 1021;/' \
    -e 's/btdev->acl_max_pkt = 1;/btdev->acl_max_pkt = 8;/' emulator/btdev.c
  grep -q 'last % 200' emulator/btdev.c || { echo "emulator/btdev.c is not as it was: handles cannot be changed"; return 1; }
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
