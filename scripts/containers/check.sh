#!/usr/bin/env bash
# Builds the images and holds them to what they promise, then does the main job once through the composed services.
# Needs a container engine that answers and the dependencies installed. Its last line is `N passed, N failed, N skipped`.
#
#   scripts/containers/check.sh
#
# MongoDB is the local server, in an image of our own, unless MONGO_IMAGE names another one. NODE_IMAGE, REDIS_IMAGE: see
# docker-compose.yml.
set -euo pipefail
cd "$(dirname "$0")/../.."
export PATH=$PWD/node_modules/.bin:$PATH

export MONGO_IMAGE=${MONGO_IMAGE:-packshot-local}
# Free ports of this machine, keys for nobody, and names that no other stack here has.
read -r PORT STRIPE_PORT MAIL_PORT < <(node -e '
  const servers = [1, 2, 3].map(() => require("net").createServer().listen(0, "127.0.0.1"));
  Promise.all(servers.map((server) => require("events").once(server, "listening"))).then(() => {
    console.log(servers.map((server) => server.address().port).join(" "));
    for (const server of servers) server.close();
  });
')
export HOST=127.0.0.1 PORT STRIPE_PORT MAIL_PORT
# Everything here comes from one address.
export NETWORK_LIMIT_FACTOR=1000
export OPENAI_API_KEY='' STRIPE_SECRET_KEY='' STRIPE_API_URL='' SMTP_URL='' SESSION_SECRET='' PUBLIC_URL='' TRY_OUT=''
export COMPOSE_PROJECT_NAME=packshot-check
# As the links in mails have it.
address=http://localhost:$PORT
work=$(mktemp -d)
passed=0
failed=0

if docker compose version >/dev/null 2>&1; then compose=(docker compose); else compose=(docker-compose); fi

take_down() {
  docker rm -f -v packshot-check-alone >/dev/null 2>&1 || true
  "${compose[@]}" down --volumes --remove-orphans --timeout 40 >"$work/down.log" 2>&1 || cat "$work/down.log" >&2
  rm -rf "$work"
}
trap take_down EXIT

# check WHAT COMMAND…: runs it, counts it, and shows its output when it fails. @returns whether it passed
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

runs_as_nobody_special() {
  [ "$(docker run --rm --entrypoint id "$1" -u)" = 1000 ]
}

# The installed packages are those that the lockfile lists without `"dev": true`, except packages for other platforms
# and the workspace of stand-ins, which has development dependencies only.
has_production_packages_only() {
  docker run --rm --entrypoint node "$1" -p '
    Object.keys(JSON.parse(require("fs").readFileSync("node_modules/.package-lock.json", "utf8")).packages).join("\n")
  ' >"$work/installed"
  node -e '
    const { readFileSync } = require("fs");
    const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
    const installed = readFileSync(process.argv[1], "utf8").trim().split("\n");
    const wrong = installed.filter((place) => packages[place] === undefined || packages[place].dev);
    const missing = Object.keys(packages).filter(
      (place) => place.startsWith("node_modules/") && !packages[place].link && !packages[place].dev && !packages[place].devOptional
        && !packages[place].optional && !packages[place].peer && !installed.includes(place),
    );
    console.log({ installed: installed.length, wrong, missing });
    process.exit(wrong.length + missing.length === 0 && installed.length > 50 ? 0 : 1);
  ' "$work/installed"
}

# The image by itself, without compose: its own command, its own health check, Node as the first process.
serves_and_ends_alone() {
  docker run -d --name packshot-check-alone --network "${COMPOSE_PROJECT_NAME}_default" \
    -e MONGODB_URL=mongodb://mongo/alone -e QUEUE_URL=redis://redis -e QUEUE_NAME=alone \
    -e SESSION_SECRET=as-long-as-a-secret-has-to-be-and-known -e OPENAI_API_KEY=none \
    -e STRIPE_SECRET_KEY=sk_test_packshot_local -e STRIPE_API_URL=http://stripe:12111 -e STRIPE_WEBHOOK_SECRET=none \
    -e SMTP_URL=smtp://mail:1025 -e TRY_OUT=true packshot-server || return 1
  is_healthy packshot-check-alone && ends_cleanly packshot-check-alone
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

# Ends by SIGTERM with code 0, long before the engine would kill it.
ends_cleanly() {
  local began=$SECONDS code
  docker stop --time 30 "$1" >/dev/null || return 1
  code=$(docker inspect -f '{{.State.ExitCode}}' "$1")
  echo "$1 ended with $code after $((SECONDS - began)) s"
  [ "$code" = 0 ] && [ $((SECONDS - began)) -lt 10 ]
}

start() {
  "${compose[@]}" up -d --scale "worker=$1" && is_healthy "$("${compose[@]}" ps -q server)"
}

# makes_an_image LEFT: the main job; the image is a PNG of 1024 × 1024, and LEFT generations are left.
makes_an_image() {
  npm run --silent demo -- --url "$address" --out "$work/image.png" >"$work/demo.log" 2>&1
  local code=$?
  cat "$work/demo.log"
  if [ $code -ne 0 ]; then
    "${compose[@]}" logs --tail 30
    return 1
  fi
  # Signature, then length and name of the first chunk, then width and height.
  [ "$(od -An -v -tx1 -N24 "$work/image.png" | tr -d ' \n')" = 89504e470d0a1a0a0000000d494844520000040000000400 ] \
    && grep -q "^$1 generations are left" "$work/demo.log"
}

# The page and the script that it names.
serves_the_web_app() {
  local page script
  page=$(curl -fsS -H 'accept: text/html' "$address/") || return 1
  script=$(grep -oE '/assets/[^"]+\.js' <<<"$page" | head -n 1)
  echo "$page"
  [ -n "$script" ] && curl -fsS -o /dev/null "$address$script"
}

# A queue must never lose a job to a full memory, and must find its jobs again after a restart.
redis_keeps_jobs() {
  "${compose[@]}" exec -T redis redis-cli config get maxmemory-policy | tee -a /dev/stderr | grep -qx noeviction \
    && "${compose[@]}" exec -T redis redis-cli config get appendonly | tee -a /dev/stderr | grep -qx yes
}

# Mails come, their links lead here, Stripe's page takes a card and leads back, and its event arrives.
becomes_the_demo_seller() {
  node scripts/containers/journey.ts --url "$address" --mail "http://localhost:$MAIL_PORT" && return
  "${compose[@]}" logs --tail 30
  return 1
}

# With keys of its own it asks OpenAI, Stripe and a mail server: the programs get these and no other addresses, and the
# local services end.
takes_keys() {
  export OPENAI_API_KEY=a-key STRIPE_SECRET_KEY=another STRIPE_WEBHOOK_SECRET=secret SMTP_URL=smtp://mail.example
  "${compose[@]}" run -T --rm --no-deps worker env | tee "$work/env"
  local setting service
  for setting in OPENAI_API_KEY=a-key OPENAI_BASE_URL= STRIPE_SECRET_KEY=another STRIPE_API_URL= \
    STRIPE_WEBHOOK_SECRET=secret SMTP_URL=smtp://mail.example; do
    grep -qx "$setting" "$work/env" || return 1
  done
  ! grep -q '^IMAGE_PROVIDER=.' "$work/env" || return 1
  for service in images stripe mail; do
    "${compose[@]}" run -T --rm --no-deps "$service" | tee -a /dev/stderr | grep -q 'is not needed' || return 1
  done
}

# Production, as the images are: with settings for trying it out a server does not start, and names them.
refuses_unsafe_settings() {
  ! docker run --rm --network "${COMPOSE_PROJECT_NAME}_default" \
    -e MONGODB_URL=mongodb://mongo/alone -e QUEUE_URL=redis://redis -e SESSION_SECRET=changemechangemechangemechangeme \
    -e OPENAI_API_KEY=none -e STRIPE_SECRET_KEY=sk_test_packshot_local -e STRIPE_API_URL=http://stripe:12111 \
    -e STRIPE_WEBHOOK_SECRET=none -e SMTP_URL=smtp://mail:1025 "$1" 2>"$work/refusal" || return 1
  cat "$work/refusal"
  local setting
  for setting in PUBLIC_URL SESSION_SECRET STRIPE_API_URL STRIPE_SECRET_KEY SMTP_URL TRY_OUT; do
    grep -q "$setting" "$work/refusal" || return 1
  done
}

# What is exported in it stays in it.
in_a_shell_of_its_own() { ("$@"); }

every_service_ends_cleanly() {
  local container ok=0
  for container in $("${compose[@]}" ps -q server) $("${compose[@]}" ps -q worker); do
    ends_cleanly "$container" || ok=1
  done
  return $ok
}

check 'the images build' "${compose[@]}" build || finish
for image in packshot-server packshot-worker; do
  check "$image runs as an ordinary user" runs_as_nobody_special "$image" || true
  check "$image has production packages only" has_production_packages_only "$image" || true
done
check 'with keys there are no local services' in_a_shell_of_its_own takes_keys || true
check 'the composed services come up' start 1 || finish
check 'Redis keeps jobs' redis_keeps_jobs || true
check 'the server image serves by itself and ends on SIGTERM' serves_and_ends_alone || true
for image in packshot-server packshot-worker; do
  check "$image refuses settings that are unsafe in production" refuses_unsafe_settings "$image" || true
done
check 'the server has the web app' serves_the_web_app || true
check 'the demo seller signs up, opens the link in the mail, and pays' becomes_the_demo_seller || finish
check 'a photo becomes an image' makes_an_image 99 || true
check 'server and worker end on SIGTERM' every_service_ends_cleanly || true
check 'all of it is taken down and comes up again with three workers' \
  eval '"${compose[@]}" down --timeout 40 && start 3' || finish
check 'its data is still there, and another photo becomes an image' makes_an_image 98 || true
finish
