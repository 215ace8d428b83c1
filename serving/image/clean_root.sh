#!/bin/sh
# Install a bundle in a clean Debian root without a network, and play there. Needs root, unshare, debootstrap and ip (iproute2).
#   clean_root.sh ROOT BUNDLE [COMMAND...]
# A missing ROOT is created from debootstrap's mirror, with Python and libnuma1.
# Without COMMAND: install.sh, arena doctor, a match of naive against random, and one of the stand-in.
# Several rounds can use one root; remove ROOT/opt/arena to install the arena again.
set -eu
[ $# -ge 2 ] || { echo "usage: $0 ROOT BUNDLE [COMMAND...]" >&2; exit 2; }
root=$1 bundle=$(CDPATH='' cd -- "$2" && pwd)
shift 2
if [ ! -e "$root/usr/bin/python3" ]; then
    debootstrap --variant=minbase --include=python3,python3-venv,ca-certificates,libnuma1 "${SUITE:-bookworm}" "$root"
fi
mkdir -p "$root/bundle" "$root/opt" "$root/root"
[ -e "$root/etc/resolv.conf" ] || : >"$root/etc/resolv.conf"
[ -e "$root/etc/hosts" ] || echo "127.0.0.1 localhost $(hostname)" >"$root/etc/hosts"
cat >"$root/root/play.sh" <<'END'
set -eux
if python3 -c 'import socket; socket.socket(type=socket.SOCK_DGRAM).connect(("192.0.2.1", 80))' 2>/dev/null; then
    echo 'error: there is a route' >&2
    exit 2
fi
ls /sys/class/net
[ -e /opt/arena/arena.env ] || /bundle/install.sh /opt/arena
. /opt/arena/arena.env
cd /root
arena doctor
arena doctor --offline --engine
arena match --civ naive --murderer random --seed 1
arena match --civ stand-in --murderer naive --preset short --seed 1
END
[ $# -gt 0 ] || set -- sh /root/play.sh
# What is mounted here is seen by this command alone, and goes when it ends.
exec unshare --net --mount --pid --fork --kill-child sh -euc '
    root=$1 bundle=$2; shift 2
    ip link set lo up
    mount --bind "$root" "$root"  # a mount point, as the namespace of arena doctor --offline asks
    mount --bind -o ro "$bundle" "$root/bundle"
    mount -t proc proc "$root/proc"
    mount -t sysfs sysfs "$root/sys"
    mount --rbind /dev "$root/dev"
    mount -t tmpfs tmpfs "$root/dev/shm"
    exec chroot "$root" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 "$@"
' sh "$root" "$bundle" "$@"
