# Part of “lab”: downloads and unpacks what the machine is made of. Everything lies in $cache:
#   packages/   Debian packages as they were downloaded
#   qemu/       the emulator, unpacked
#   tools/      BlueZ's tools, busybox and kmod, unpacked; in own/ our “controller”, and btvirt, see emulator.sh
#   kernel/     the kernel and those of its modules that Bluetooth needs
#   initrd      what the machine starts with
#   ready       a digest of these scripts: the lab is made again when they change

# Makes the lab if it is not there, or is of an earlier version of these scripts. Several may call this at once.
make_ready() {
  local digest
  digest=$(cat "$here"/{setup.sh,emulator.sh,init,controller.c} | sha256sum | cut -d' ' -f1)
  [ "$(cat "$cache/ready" 2> /dev/null)" != "$digest" ] || return 0
  [ "$(uname -sm)" = "Linux x86_64" ] || fail "The lab runs on Linux on x86-64, and this is $(uname -sm)."
  local command
  for command in apt-get dpkg python3 flock; do
    command -v "$command" > /dev/null || fail "There is no “$command”: the lab is made of Debian's packages, on Debian."
  done
  mkdir -p "$cache"
  (
    flock 9
    [ "$(cat "$cache/ready" 2> /dev/null)" != "$digest" ] || exit 0
    say "making the lab in $cache: about 120 MB are downloaded the first time"
    rm -f "$cache/ready"
    download_packages
    unpack_packages
    compile_controller
    compile_emulator
    make_initrd
    echo "$digest" > "$cache/ready"
  ) 9> "$cache/lock" || exit
}

# The kernel that Debian's own “linux-image-amd64” names. Its “-cloud-” relatives have no Bluetooth.
kernel_package() {
  apt-cache depends linux-image-amd64 2> /dev/null | awk '/Depends:/ { print $2; exit }'
}

download_packages() {
  # The lists of a fresh machine are often empty or old: read them when the first try fails.
  if ! try_download; then
    local as_root=()
    [ "$(id -u)" = 0 ] || as_root=(sudo)
    "${as_root[@]}" apt-get -qq update > "$cache/log" 2>&1 && try_download || {
      cat "$cache/log" >&2
      fail "The packages cannot be downloaded; the reason is above."
    }
  fi
}

try_download() {
  local kernel emulator packages
  kernel=$(kernel_package)
  [ -n "$kernel" ] || { echo "apt knows no linux-image-amd64" > "$cache/log"; return 1; }
  # What apt would add for the emulator, given what is installed, and without what is only recommended.
  emulator=$(apt-get install -s --no-install-recommends qemu-system-x86 2> "$cache/log" | awk '/^Inst/ { print $2 }')
  packages="$emulator $kernel bluez bluez-test-tools busybox-static kmod"
  if [ "$(cat "$cache/packages/list" 2> /dev/null)" = "$packages" ]; then return; fi
  rm -rf "$cache/packages"
  mkdir -p "$cache/packages"
  # Downloaded and not installed: installing BlueZ would bring services to this machine.
  # shellcheck disable=SC2086
  (cd "$cache/packages" && apt-get -qq -o APT::Sandbox::User=root download $packages) > "$cache/log" 2>&1 || return
  printf '%s\n' "$emulator" > "$cache/packages/emulator"
  echo "${kernel#linux-image-}" > "$cache/packages/version"
  echo "$packages" > "$cache/packages/list"
}

unpack_packages() {
  local package folder
  rm -rf "$cache"/{qemu,tools,kernel}
  mkdir -p "$cache"/{qemu,tools,kernel}
  while read -r package; do
    [ -z "$package" ] || dpkg -x "$cache/packages/$package"_*.deb "$cache/qemu"
  done < "$cache/packages/emulator"
  for package in bluez bluez-test-tools busybox-static kmod; do
    dpkg -x "$cache/packages/$package"_*.deb "$cache/tools"
  done
  # Of the kernel package's 400 MB only what is needed to get here, and for Bluetooth.
  local wanted=(./boot/vmlinuz* './lib/modules/*/modules.*')
  for folder in crypto arch/x86/crypto lib net/{9p,bluetooth,rfkill,6lowpan} fs/{9p,netfs,fscache,overlayfs} \
    drivers/{virtio,char,bluetooth,hid}; do
    wanted+=("./lib/modules/*/kernel/$folder/*")
  done
  # Some kernels lack some of these folders, and tar complains of them.
  dpkg --fsys-tarfile "$cache"/packages/linux-image-*.deb \
    | tar -x -C "$cache/kernel" --wildcards "${wanted[@]}" 2> /dev/null || true
  find "$cache/kernel" -name '*.ko.xz' -exec xz -df {} +
  local version
  version=$(cat "$cache/packages/version")
  [ -d "$cache/kernel/lib/modules/$version/kernel/net/bluetooth" ] || fail "The kernel $version has no Bluetooth."
  kmod depmod -b "$cache/kernel" "$version" 2> /dev/null
  extract_kernel "$cache/kernel/boot/vmlinuz-$version" "$cache/kernel/vmlinux" \
    || cp "$cache/kernel/boot/vmlinuz-$version" "$cache/kernel/vmlinux"
}

# kmod NAME ARGUMENT…: runs the unpacked kmod under the name by which it knows what to do.
kmod() {
  local name=$1
  shift
  (exec -a "$name" "$(unpacked kmod)" "$@")
}

# unpacked NAME: where a program lies; newer systems have it under /usr.
unpacked() {
  find "$cache/tools" -path "*/bin/$1" -type f | head -n 1
}

# extract_kernel FROM TO: unpacks the kernel here, once, instead of at each start, which takes the emulator seconds.
extract_kernel() {
  python3 - "$@" << 'PYTHON'
import lzma, struct, sys

image = open(sys.argv[1], "rb").read()
# The boot protocol of Linux/x86: sectors of the set-up code, then offset and length of the packed kernel after it.
start = ((image[0x1F1] or 4) + 1) * 512
offset, length = struct.unpack_from("<II", image, 0x248)
packed = image[start + offset : start + offset + length]
if packed[:2] != b"\xfd7":
    sys.exit(1)  # not xz: the machine unpacks it itself
kernel = lzma.LZMADecompressor().decompress(packed)
if kernel[:4] != b"\x7fELF":
    sys.exit(1)
open(sys.argv[2], "wb").write(kernel)
PYTHON
}

# The C compiler of this machine.
compiler() {
  local name
  for name in cc gcc clang; do
    command -v "$name" && return
  done
  fail "There is no C compiler. Install one: apt-get install gcc libc6-dev."
}

compile_controller() {
  mkdir -p "$cache/tools/own"
  "$(compiler)" -O1 -Wall -o "$cache/tools/own/controller" "$here/controller.c" || fail "controller.c does not compile."
}

# Busybox, our init, and the modules that it takes to see this machine's files; those hold the rest.
make_initrd() {
  local root=$cache/initrd.d version applet module count=10
  version=$(cat "$cache/packages/version")
  rm -rf "$root"
  mkdir -p "$root"/{bin,sbin,lib,modules,proc,sys,dev,host,scratch,root}
  cp "$(unpacked busybox)" "$root/bin/busybox"
  for applet in sh mount mkdir insmod modprobe chroot reboot cat sleep ifconfig; do
    ln -s busybox "$root/bin/$applet"
  done
  # The kernel itself calls this one for modules that it finds missing, such as ciphers.
  ln -s ../bin/busybox "$root/sbin/modprobe"
  ln -s "/host$cache/kernel/lib/modules" "$root/lib/modules"
  for module in virtio_pci 9pnet_virtio 9p; do
    while read -r module; do
      compgen -G "$root/modules/*-${module##*/}" > /dev/null && continue
      cp "$module" "$root/modules/$count-${module##*/}"
      count=$((count + 1))
    done < <(kmod modprobe -d "$cache/kernel" -S "$version" --show-depends "$module" | awk '$1 == "insmod" { print $2 }')
  done
  cp "$here/init" "$root/init"
  chmod +x "$root/init"
  (cd "$root" && find . | "$root/bin/busybox" cpio -o -H newc > "$cache/initrd" 2> "$cache/log") \
    || { cat "$cache/log" >&2; fail "The lab's first program cannot be packed."; }
  rm -rf "$root"
}
