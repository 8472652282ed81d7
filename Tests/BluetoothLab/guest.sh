# Runs in the machine, as root: makes the controllers, brings them up, and runs the command.
# Arguments: the lab's cache folder, and the folder of this run.
cache=$1
run=$2
# shellcheck disable=SC1091
source "$run/environment"
export PATH="$cache/tools/own:$cache/tools/usr/bin:$cache/tools/bin:$PATH"

"$cache/tools/bin/busybox" ip link set lo up
count=${LAB_CONTROLLERS:-2}
if ((count > 0)); then
  # btvirt emulates controllers, and the air between them. It gives the first the address 00:AA:01:00:00:00, and so on.
  btvirt -l"$count" > /dev/null 2>&1 &
  disown
  for ((index = 0; index < count; index++)); do
    export "BT${index}_ADDRESS=$(printf '00:AA:01:%02X:00:%02X' "$index" "$index")"
  done
  last=BT$((count - 1))_ADDRESS
  for _ in {1..400}; do
    [ "$(controller address $((count - 1)) 2> /dev/null)" = "${!last}" ] && break
    sleep 0.05
  done
  for ((index = 0; index < count; index++)); do
    controller on "$index" || echo "bluetooth-lab: the controller hci$index did not come up" >&2
  done
  controller advertise 0 || echo "bluetooth-lab: hci0 cannot be connected to" >&2
fi
bash -c "$(cat "$run/command")"
echo $? > "$run/status"
# Whatever the command has left running ends here, so that the output does.
for folder in /proc/[0-9]*; do
  process=${folder#/proc/}
  ((process <= $$)) || kill -9 "$process" 2> /dev/null
done
