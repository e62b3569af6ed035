#!/bin/bash
# Stands in for systemctl where systemd does not run: does of a unit's file what docs/self-hosting.md relies on.
set -euo pipefail

main() {
  local verb=$1 word
  shift
  case $verb in
    mask | daemon-reload) return ;;
    enable | restart) ;;
    *) echo "systemctl $verb is not known here" >&2; exit 2 ;;
  esac
  for word in "$@"; do
    case $word in
      -*) ;;
      postgresql) pg_ctlcluster 15 main start ;;
      nginx) nginx ;;
      *) start "$word" ;;
    esac
  done
}

start() {
  local file=/etc/systemd/system/$1.service user place
  user=$(setting User)
  for place in Runtime:/run State:/var/lib; do
    if [ -n "$(setting "${place%%:*}Directory")" ]; then
      install -d -m 700 -o "$user" -g "$user" "${place#*:}/$(setting "${place%%:*}Directory")"
    fi
  done
  mkdir -p /var/log/units
  run >"/var/log/units/$1.log" 2>&1 </dev/null &
}

run() {
  local as="setpriv --reuid $user --regid $user --clear-groups --no-new-privs" environment
  cd "$(setting WorkingDirectory | grep . || echo /)"
  umask 077
  set -a
  eval "$(setting Environment)"
  if [ -n "$(setting ExecStartPre)" ]; then eval "$as $(setting ExecStartPre)"; fi
  environment=$(setting EnvironmentFile)
  # shellcheck disable=SC1090
  . "${environment#-}"
  eval "exec $as $(setting ExecStart)"
}

# Of the unit that is being started.
setting() {
  sed -n "s/^$1=//p" "$file" | tail -1
}

main "$@"
