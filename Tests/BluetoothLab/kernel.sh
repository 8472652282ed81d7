# Part of “lab”: builds the machine's kernel from Debian's source package, for the architecture “um”: User Mode Linux, a
# kernel that is a program. It is Linux's own Bluetooth stack; what it lacks is hardware, and more than one processor.

# compile_kernel: into $cache/kernel/linux. Takes two to five minutes, and is done again only when the version of the
# source package or what is below changes.
compile_kernel() {
  local package digest folder=$cache/source
  package=$(kernel_package)
  [ -n "$package" ] || fail "apt knows no linux-source: the lab's kernel is made from Debian's package of that name."
  digest=$({
    echo "$package"
    cat "$here/kernel.sh" "$here/kernel.config"
  } | sha256sum | cut -d' ' -f1)
  [ "$(cat "$cache/kernel/digest" 2> /dev/null)" != "$digest" ] || return 0
  say "building the lab's kernel, $package: 140 MB are downloaded, and it takes some minutes"
  rm -rf "$folder" "$cache/kernel"
  mkdir -p "$folder/package" "$folder/linux" "$cache/kernel"
  {
    (cd "$folder/package" && download "$package" && dpkg -x linux-source-*.deb .) \
      && tar -x --strip-components 1 -C "$folder/linux" -f "$folder"/package/usr/src/linux-source-*.tar.xz \
      && mend_kernel "$folder/linux" && make_kernel "$folder/linux" && cp "$folder/linux/linux" "$cache/kernel/linux"
  } > "$cache/log" 2>&1 || {
    tail -n 30 "$cache/log" >&2
    fail "The lab's kernel cannot be built; the last lines of $cache/log are above."
  }
  rm -rf "$folder"
  echo "$digest" > "$cache/kernel/digest"
}

# The package and version that Debian's “linux-source” names.
kernel_package() {
  local name
  name=$(apt-cache depends linux-source 2> /dev/null | awk '/Depends:/ { print $2; exit }')
  [ -z "$name" ] || apt-cache policy "$name" | awk -v name="$name" '/Candidate:/ { print name "=" $2 }'
}

# Linux 6.1.192 deletes a link's queue twice when the link went before the socket did: first in hci_conn_cleanup, then in
# l2cap_conn_free. That can crash it at some later time; it was seen once. The first is left out.
mend_kernel() {
  local core=$1/net/bluetooth/l2cap_core.c connections=$1/net/bluetooth/hci_conn.c
  # Other versions delete it in l2cap_conn_del alone, and are right as they are.
  sed -n '/^static void l2cap_conn_free/,/^}/p' "$core" | grep -q hci_chan_del || return 0
  sed -i '/^static void hci_conn_cleanup/,/^}/ s/^\thci_chan_list_flush(conn);$//' "$connections"
  ! grep -q $'^\thci_chan_list_flush(conn);' "$connections" || { echo "net/bluetooth/hci_conn.c is not as it was"; return 1; }
}

make_kernel() {
  local build=(make -C "$1" ARCH=um "HOSTCC=$(compiler)" "CC=$(compiler)")
  "${build[@]}" "KCONFIG_ALLCONFIG=$here/kernel.config" allnoconfig || return
  local setting
  while read -r setting; do
    grep -qx "$setting" "$1/.config" || { echo "This kernel does not know the setting $setting."; return 1; }
  done < <(grep '^CONFIG' "$here/kernel.config")
  # Warnings of the linker about its own future are not ours.
  "${build[@]}" -j "$(nproc)" linux
}
