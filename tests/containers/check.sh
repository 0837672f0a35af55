#!/usr/bin/env bash
# Builds the images and checks them, then generates an image through the composed services. Needs a running container
# engine and the installed dependencies. Its last line is `N passed, N failed, N skipped`.
#
#   tests/containers/check.sh
#
# MongoDB is the local server, in an image of our own, unless MONGO_IMAGE names another one. NODE_IMAGE and REDIS_IMAGE are those
# of docker-compose.yml without their digests, which an image that was made on this machine does not have.
set -euo pipefail
cd "$(dirname "$0")/../.."
export PATH=$PWD/node_modules/.bin:$PATH

export MONGO_IMAGE=${MONGO_IMAGE:-packshot-local} NODE_IMAGE=${NODE_IMAGE:-node:24-bookworm-slim} REDIS_IMAGE=${REDIS_IMAGE:-redis:7-bookworm}
# Free ports, no keys, and names that no other stack on this machine uses.
read -r PORT STRIPE_PORT MAIL_PORT < <(node -e '
  const servers = [1, 2, 3].map(() => require("net").createServer().listen(0, "127.0.0.1"));
  Promise.all(servers.map((server) => require("events").once(server, "listening"))).then(() => {
    console.log(servers.map((server) => server.address().port).join(" "));
    for (const server of servers) server.close();
  });
')
export HOST=127.0.0.1 PORT STRIPE_PORT MAIL_PORT
export COMPOSE_PROJECT_NAME=packshot-check
# The address in the links of mails.
address=http://localhost:$PORT
work=$(mktemp -d)
passed=0
failed=0

# As docs/commands.md says it. All requests come from one network address.
export ENV_FILE=$work/settings.env
sh deploy/compose/new-env.sh --try-out >/dev/null
echo NETWORK_LIMIT_FACTOR=1000 >>"$ENV_FILE"
MONGODB_PASSWORD=$(sed -n 's/^MONGODB_PASSWORD=//p' "$ENV_FILE")
REDIS_PASSWORD=$(sed -n 's/^REDIS_PASSWORD=//p' "$ENV_FILE")
stores=(-e "QUEUE_URL=redis://:$REDIS_PASSWORD@redis")
database() { echo "MONGODB_URL=mongodb://packshot:$MONGODB_PASSWORD@mongo/$1?authSource=admin"; }

if docker compose version >/dev/null 2>&1; then compose=(docker compose); else compose=(docker-compose); fi
compose+=(--env-file "$ENV_FILE")

take_down() {
  docker rm -f -v packshot-check-alone >/dev/null 2>&1 || true
  "${compose[@]}" down --volumes --remove-orphans --timeout 40 >"$work/down.log" 2>&1 || cat "$work/down.log" >&2
  rm -rf "$work"
}
trap take_down EXIT

# check WHAT COMMAND…: runs a command and counts the result; prints its output if it fails. Returns its result.
check() {
  local what=$1 began=$SECONDS
  shift
  if "$@" >"$work/output" 2>&1; then
    passed=$((passed + 1))
    printf '  ✓ %s (%d s)\n' "$what" $((SECONDS - began))
  else
    failed=$((failed + 1))
    printf '  ✗ %s (%d s)\n' "$what" $((SECONDS - began))
    sed 's/^/    | /' "$work/output" | tail -n 60
    return 1
  fi
}

finish() {
  printf '%d passed, %d failed, 0 skipped\n' "$passed" "$failed"
  [ "$failed" -eq 0 ]
  exit
}

runs_unprivileged() {
  [ "$(docker run --rm --entrypoint id "$1" -u)" = 1000 ]
}

# has_only_its_packages IMAGE LOADED REMOVED: packages that the lockfile lists without `"dev": true`, of which those that only the
# other program loads are removed (tests/repository/containers.test.ts says which); no program for another system.
has_only_its_packages() {
  docker run --rm --entrypoint node "$1" -p '
    Object.keys(JSON.parse(require("fs").readFileSync("node_modules/.package-lock.json", "utf8")).packages).join("\n")
  ' >"$work/installed"
  node -e '
    const { readFileSync } = require("fs");
    const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
    const [, file, loaded, removed] = process.argv;
    const installed = readFileSync(file, "utf8").trim().split("\n");
    const wrong = installed.filter((place) => packages[place] === undefined || packages[place].dev);
    console.log({ installed: installed.length, wrong });
    const has = (name) => installed.includes(`node_modules/${name}`);
    process.exit(wrong.length === 0 && has(loaded) && !has(removed) && installed.length > 50 ? 0 : 1);
  ' "$work/installed" "$2" "$3" || return 1
  docker run --rm --entrypoint find "$1" node_modules -regextype posix-extended \
    '(' -regex '.*/(win32|darwin)/.*\.(node|dll|dylib)' -o -name '*cuda*.so*' -o -name '*tensorrt*.so*' ')' | tee "$work/foreign"
  [ ! -s "$work/foreign" ]
}

# The figures of docs/measured.md.
shows_its_size() {
  docker image inspect -f '{{.Size}}' "$1" >"$work/size" && printf '    %s: %d MB\n' "$1" $(($(cat "$work/size") / 1000000))
}

# As in deploy/kubernetes/: a numeric user without rights, and no folder to write to but /tmp and the storage.
confined=(--read-only --tmpfs /tmp --user 1000:1000 --cap-drop ALL --security-opt no-new-privileges)

# The image without compose: its own command, its own health check, Node as PID 1.
serves_without_compose() {
  docker run -d --name packshot-check-alone --network "${COMPOSE_PROJECT_NAME}_default" "${confined[@]}" \
    -e "$(database alone)" "${stores[@]}" -e QUEUE_NAME=alone -e SESSION_SECRET=as-long-as-a-secret-has-to-be-and-known \
    -e STRIPE_SECRET_KEY=sk_test_packshot_local -e STRIPE_API_URL=http://stripe:12111 -e STRIPE_WEBHOOK_SECRET=none \
    -e TRY_OUT=true packshot-server || return 1
  is_healthy packshot-check-alone && ends_cleanly packshot-check-alone
}

# The commands that Kubernetes runs as Jobs (deploy/kubernetes/base/).
runs_commands() {
  local command
  for command in 'migrate' 'operator list' 'audit'; do
    # shellcheck disable=SC2086
    set -- $command
    docker run --rm --network "${COMPOSE_PROJECT_NAME}_default" "${confined[@]}" -v "${COMPOSE_PROJECT_NAME}_storage:/data" \
      -e "$(database packshot)" -e STRIPE_SECRET_KEY=sk_test_packshot_local -e STRIPE_API_URL=http://stripe:12111 \
      packshot-server node "scripts/$1/main.ts" "${@:2}" || return 1
  done
}

# The service of the profile `backup`: the stand-in has no snapshots, so nothing else runs. The second one shares files.
makes_backups() {
  local run=("${compose[@]}" run --rm --no-deps backup) number
  for number in 1 2; do
    "${run[@]}" node scripts/backup/main.ts /backups --keep 1 || return 1
  done
  "${run[@]}" sh -c 'ls /backups/*/backup.json && [ $(ls /backups | wc -l) = 1 ]'
}

is_healthy() {
  local state
  for _ in $(seq 120); do
    state=$(docker inspect -f '{{.State.Health.Status}}' "$1")
    if [ "$state" = healthy ]; then return 0; fi
    if [ "$(docker inspect -f '{{.State.Running}}' "$1")" != true ]; then break; fi
    sleep 0.5
  done
  echo "$1 is $state"
  docker logs --tail 40 "$1"
  return 1
}

# SIGTERM ends it with code 0 within 10 s, before the engine kills it.
ends_cleanly() {
  local began=$SECONDS code
  docker stop --time 30 "$1" >/dev/null || return 1
  code=$(docker inspect -f '{{.State.ExitCode}}' "$1")
  echo "$1 ended with $code after $((SECONDS - began)) s"
  [ "$code" = 0 ] && [ $((SECONDS - began)) -lt 10 ]
}

start() {
  "${compose[@]}" up -d --scale "worker=$1" || return 1
  local container
  for container in $("${compose[@]}" ps -q server) $("${compose[@]}" ps -q worker); do
    is_healthy "$container" || return 1
  done
}

# makes_an_image LEFT: generates an image, a PNG of 1024 × 1024; afterwards LEFT images are left, with the three free ones.
makes_an_image() {
  local packshot=(env PACKSHOT="$address" PACKSHOT_KEY="$(cat "$work/key")" node scripts/cli/main.ts)
  "${packshot[@]}" generate scripts/local/photos/mug-1.jpg --scene 'On an oak table' --out "$work/image.png"
  local code=$?
  if [ $code -ne 0 ]; then
    "${compose[@]}" logs --tail 30
    return 1
  fi
  # Signature, then length and name of the first chunk, then width and height.
  [ "$(od -An -v -tx1 -N24 "$work/image.png" | tr -d ' \n')" = 89504e470d0a1a0a0000000d494844520000040000000400 ] || return 1
  local balance
  balance=$("${packshot[@]}" balance)
  echo "$balance"
  [[ $balance == "$1 images left,"* ]]
}

# The page and its script.
serves_the_web_app() {
  local page script
  page=$(curl -fsS -H 'accept: text/html' "$address/") || return 1
  script=$(grep -oE '/assets/[^"]+\.js' <<<"$page" | head -n 1)
  echo "$page"
  [ -n "$script" ] && curl -fsS -o /dev/null "$address$script"
}

# The stores let nobody in without the password of .env.
stores_ask_for_passwords() {
  "${compose[@]}" exec -T redis env REDISCLI_AUTH= redis-cli ping | tee -a /dev/stderr | grep -q NOAUTH || return 1
  ! docker run --rm --network "${COMPOSE_PROJECT_NAME}_default" -e MONGODB_URL=mongodb://mongo/packshot packshot-server \
    node scripts/migrate/main.ts
}

# Redis must not evict jobs when memory is full, and must keep them across a restart.
redis_keeps_jobs() {
  "${compose[@]}" exec -T redis redis-cli config get maxmemory-policy | tee -a /dev/stderr | grep -qx noeviction \
    && "${compose[@]}" exec -T redis redis-cli config get appendonly | tee -a /dev/stderr | grep -qx yes
}

# Mails arrive and link to Packshot, Stripe's page accepts a card and redirects back, and its event arrives.
creates_the_demo_seller() {
  node tests/containers/journey.ts --url "$address" --mail "http://localhost:$MAIL_PORT" --key "$work/key" && return
  "${compose[@]}" logs --tail 30
  return 1
}

# What is in .env reaches the program that reads it; secrets reach no other one, and nothing is replaced by a local service.
uses_configured_keys() {
  export ENV_FILE=$work/keys.env
  local program
  grep -v -e '^TRY_OUT' -e '^COMPOSE_PROFILES' "$work/settings.env" >"$ENV_FILE"
  printf '%s\n' OPENAI_API_KEY=a-key STRIPE_SECRET_KEY=another SMTP_URL=smtp://mail.example BATCH_WINDOW=7 FREE_IMAGES=5 >>"$ENV_FILE"
  for program in server worker; do
    "${compose[@]}" run -T --rm --no-deps "$program" env >"$work/$program.env" || return 1
    for setting in STRIPE_SECRET_KEY=another BATCH_WINDOW=7 FREE_IMAGES=5; do
      grep -qx "$setting" "$work/$program.env" || return 1
    done
    ! grep -q '^IMAGE_PROVIDER=.' "$work/$program.env" || return 1
  done
  grep -qx OPENAI_API_KEY=a-key "$work/worker.env" && grep -qx SMTP_URL=smtp://mail.example "$work/worker.env" \
    && ! grep -q '^SESSION_SECRET=.' "$work/worker.env" && grep -q '^SESSION_SECRET=.' "$work/server.env" \
    && ! grep -qE '^(OPENAI_API_KEY|SMTP_URL)=.' "$work/server.env"
}

# The images run in production mode: with unsafe settings the program does not start and lists them.
# $1 is the image; the others are settings that only its program reads (shared/platform/program-secrets.ts).
rejects_unsafe_settings() {
  ! docker run --rm --network "${COMPOSE_PROJECT_NAME}_default" \
    -e "$(database alone)" "${stores[@]}" -e SESSION_SECRET=changemechangemechangemechangeme \
    -e OPENAI_API_KEY=none -e STRIPE_SECRET_KEY=sk_test_packshot_local -e STRIPE_API_URL=http://stripe:12111 \
    -e STRIPE_WEBHOOK_SECRET=none -e SMTP_URL=smtp://mail:1025 "$1" 2>"$work/unsafe-settings" || return 1
  cat "$work/unsafe-settings"
  local setting
  for setting in PUBLIC_URL STRIPE_API_URL STRIPE_SECRET_KEY TRY_OUT "${@:2}"; do
    grep -q "$setting" "$work/unsafe-settings" || return 1
  done
}

# Runs a command so that its exports do not affect later checks.
in_subshell() { ("$@"); }

every_service_ends_cleanly() {
  local container ok=0
  for container in $("${compose[@]}" ps -q server) $("${compose[@]}" ps -q worker); do
    ends_cleanly "$container" || ok=1
  done
  return $ok
}

check 'the images build' "${compose[@]}" build || finish
for image in packshot-server packshot-worker; do
  check "$image runs as an unprivileged user" runs_unprivileged "$image" || true
done
check 'the server image has only the packages of the server' has_only_its_packages packshot-server fastify openai || true
check 'the worker image has only the packages of the worker' has_only_its_packages packshot-worker openai fastify || true
shows_its_size packshot-server
shows_its_size packshot-worker
check 'every setting reaches its program, and secrets no other one' in_subshell uses_configured_keys || true
check 'the composed services come up' start 1 || finish
check 'the stores ask for passwords' stores_ask_for_passwords || true
check 'Redis keeps jobs' redis_keeps_jobs || true
check 'the server image serves without compose and ends on SIGTERM' serves_without_compose || true
check 'the server rejects settings that are unsafe in production' \
  rejects_unsafe_settings packshot-server SESSION_SECRET SEALING_KEYS WEBHOOK_KEYS CONTACT_ADDRESS || true
check 'the worker rejects settings that are unsafe in production' rejects_unsafe_settings packshot-worker WEBHOOK_KEYS SMTP_URL MAIL_FROM || true
check 'the server serves the web app' serves_the_web_app || true
check 'the demo seller signs up, opens the link in the mail, and pays' creates_the_demo_seller || finish
check 'it generates an image' makes_an_image 102 || true
check 'migrate, operator and audit run in the server image' runs_commands || true
check 'server and worker end on SIGTERM' every_service_ends_cleanly || true
check 'backups are made into their volume' makes_backups || true
check 'the stack stops and starts again with three workers' \
  eval '"${compose[@]}" down --timeout 40 && start 3' || finish
check 'its data is still there, and it generates another image' makes_an_image 101 || true
finish
