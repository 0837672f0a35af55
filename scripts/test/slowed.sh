#!/usr/bin/env bash
# Runs a command on one core that it shares with four busy loops: about ten times as slow as on two idle cores.
#
#   scripts/test/slowed.sh npm test -- tests/integration/generations
#
# Each loop is in a session of its own, so a kernel that shares processor time between sessions gives the command a fifth.
set -euo pipefail
if [ $# -eq 0 ]; then
  echo 'usage: scripts/test/slowed.sh COMMAND [ARGUMENT…]' >&2
  exit 2
fi

loops=()
end() {
  for loop in "${loops[@]}"; do kill "$loop" 2>/dev/null || true; done
}
trap end EXIT

for _ in 1 2 3 4; do
  setsid taskset -c 0 bash -c 'while :; do :; done' &
  loops+=($!)
done
taskset -c 0 "$@"
