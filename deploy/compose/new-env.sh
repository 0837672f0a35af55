#!/bin/sh
# Makes .env for docker-compose.yml, or adds to it what it lacks: passwords and secrets, made by chance. What is set already
# stays as it is.
#
#   sh deploy/compose/new-env.sh              for production: then add your settings, as docs/settings.md has them
#   sh deploy/compose/new-env.sh --try-out    to try it out: every outside service is a local one
set -eu

case "${1:-}" in
  '') try_out=no ;;
  --try-out) try_out=yes ;;
  --help)
    sed -n '2,6s/^# \{0,1\}//p' "$0"
    exit 0
    ;;
  *)
    echo "new-env.sh: $1 is not known; sh deploy/compose/new-env.sh --help lists the options" >&2
    exit 1
    ;;
esac

cd "$(dirname "$0")/../.."
file=${ENV_FILE:-.env}
# Nobody else on this machine reads the secrets.
umask 077
touch "$file"
chmod 600 "$file"
if [ -n "$(tail -c 1 "$file")" ]; then echo >>"$file"; fi

# add NAME VALUE: unless the file sets it.
add() {
  if grep -q "^$1=." "$file"; then return; fi
  echo "$1=$2" >>"$file"
  echo "$file: $1 is set"
}
random() { od -An -N32 -tx1 /dev/urandom | tr -d ' \n'; }

add MONGODB_PASSWORD "$(random)"
add REDIS_PASSWORD "$(random)"
add SESSION_SECRET "$(random)"
add SEALING_KEYS "$(random)"
add WEBHOOK_KEYS "$(random)"
if [ $try_out = yes ]; then
  add TRY_OUT true
  add COMPOSE_PROFILES try-out
fi
