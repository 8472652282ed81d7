# Part of “lab”: downloads and builds what the machine is made of. Everything lies in $cache:
#   kernel/     the kernel, see kernel.sh
#   tools/      BlueZ's tools and busybox, unpacked; in own/ our “controller”, and btvirt, see emulator.sh
#   ready       a digest of these scripts: the lab is made again when they change

# Makes the lab if it is not there, or is of an earlier version of these scripts. Several may call this at once.
make_ready() {
  local digest
  digest=$(cat "$here"/{setup.sh,kernel.sh,kernel.config,emulator.sh,controller.c} | sha256sum | cut -d' ' -f1)
  [ "$(cat "$cache/ready" 2> /dev/null)" != "$digest" ] || return 0
  [ "$(uname -sm)" = "Linux x86_64" ] || fail "The lab runs on Linux on x86-64, and this is $(uname -sm)."
  local command
  for command in apt-get dpkg flock make flex bison bc xz; do
    command -v "$command" > /dev/null || fail "There is no “$command”. “make setup” installs what the lab is made with, on Debian."
  done
  mkdir -p "$cache"
  (
    flock 9
    [ "$(cat "$cache/ready" 2> /dev/null)" != "$digest" ] || exit 0
    say "making the lab in $cache"
    rm -f "$cache/ready"
    download_tools
    compile_controller
    compile_emulator
    compile_kernel
    echo "$digest" > "$cache/ready"
  ) 9> "$cache/lock" || exit
}

# BlueZ's programs, and busybox: downloaded and not installed, as installing BlueZ would bring services to this machine.
download_tools() {
  local packages=(bluez bluez-test-tools busybox-static) package
  rm -rf "$cache/packages" "$cache/tools"
  mkdir -p "$cache/packages" "$cache/tools/own"
  (cd "$cache/packages" && download "${packages[@]}") > "$cache/log" 2>&1 || {
    cat "$cache/log" >&2
    fail "The packages cannot be downloaded; the reason is above."
  }
  for package in "$cache/packages"/*.deb; do dpkg -x "$package" "$cache/tools"; done
  rm -rf "$cache/packages"
}

# download PACKAGE…: into the current folder.
download() {
  local apt=(apt-get -qq -o APT::Sandbox::User=root) as_root=()
  "${apt[@]}" download "$@" && return
  # The lists of a fresh machine are often empty or old: read them when the first try fails.
  [ "$(id -u)" = 0 ] || as_root=(sudo)
  "${as_root[@]}" apt-get -qq update && "${apt[@]}" download "$@"
}

# The C compiler of this machine.
compiler() {
  local name
  for name in gcc cc clang; do
    command -v "$name" && return
  done
  fail "There is no C compiler. Install one: apt-get install gcc libc6-dev."
}

compile_controller() {
  "$(compiler)" -O1 -Wall -o "$cache/tools/own/controller" "$here/controller.c" || fail "controller.c does not compile."
}
