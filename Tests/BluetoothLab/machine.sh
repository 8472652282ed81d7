# Part of “lab”: runs a command in the machine.

# run_machine COMMAND…: starts the machine, and returns the command's status.
run_machine() {
  local run status=0
  mkdir -p "$cache/runs"
  run=$(mktemp -d "$cache/runs/XXXXXX")
  # One argument is a line for bash, as with “bash -c”; several are quoted so that they stay what they are.
  if (($# == 1)); then printf '%s' "$1" > "$run/command"; else printf '%q ' "$@" > "$run/command"; fi
  {
    export -p
    printf 'cd %q 2> /dev/null || cd /\n' "$PWD"
  } > "$run/environment"
  cp "$here"/{init,guest.sh} "$run/"
  chmod +x "$run/init"
  start_kernel "$run" "${LAB_TIMEOUT:-300}" || status=$?
  if [ -s "$run/status" ]; then
    status=$(cat "$run/status")
  elif [ "$status" != 124 ]; then
    status=125
  fi
  if [ "$status" = 125 ] || [ -n "${LAB_KEEP:-}" ]; then
    say "status $status; the machine's logs are in $run"
  else
    rm -rf "$run"
  fi
  return "$status"
}

# start_kernel RUN SECONDS: returns when the machine has stopped; 124 when it had to be stopped.
start_kernel() {
  local run=$1 seconds=$2 memory=${LAB_MEMORY:-1024} copies=() watch status=0
  # The command's output and errors come through pipes, since the kernel waits on what it writes to.
  mkfifo "$run/output" "$run/errors"
  cat "$run/output" &
  copies+=("$!")
  cat "$run/errors" >&2 &
  copies+=("$!")
  local arguments=(
    "mem=${memory}M" quiet loglevel=4 panic=-1
    # This machine's files; init covers them with a layer that takes the changes.
    root=/dev/root rootfstype=hostfs rootflags=/ ro "init=$run/init"
    con=null con0=null,fd:2 con1=null,fd:3 con2=null,fd:4
    "lab_cache=$cache" "lab_run=$run" "lab_writable=${LAB_WRITABLE:-}"
  )
  # The machine's memory is a file that has lost its name: in /dev/shm where there is room, else on the disk.
  local free
  free=$(df --output=avail -BM /dev/shm 2> /dev/null | tail -n 1 | tr -dc 0-9)
  local temporary=/dev/shm
  ((${free:-0} > memory)) || temporary=$run
  # A session of its own: the machine is a family of processes, and whoever ends the lab ends them all.
  TMPDIR=$temporary setsid timeout --kill-after 5 "$seconds" "$cache/kernel/linux" "${arguments[@]}" \
    3> "$run/output" 4> "$run/errors" > "$run/console" 2>&1 < /dev/null &
  watch=$!
  # shellcheck disable=SC2064
  trap "kill -- -$watch 2> /dev/null || true; sleep 0.2; kill -9 -- -$watch 2> /dev/null || true" EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM
  wait "$watch" || status=$?
  kill -9 -- "-$watch" 2> /dev/null || true
  wait "${copies[@]}" || true
  trap - EXIT INT TERM
  return "$status"
}
