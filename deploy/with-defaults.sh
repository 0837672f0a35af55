#!/bin/sh
# Entrypoint of server and worker in docker-compose.yml, so that `docker compose up` needs no configuration: gives each
# required setting that is not set a value, then executes the program.
set -eu

if [ -z "${TRY_OUT:-}" ] && { [ -z "${OPENAI_API_KEY:-}" ] || [ -z "${STRIPE_SECRET_KEY:-}" ] || [ -z "${SMTP_URL:-}" ] \
  || [ -z "${PUBLIC_URL:-}" ]; }; then
  echo 'packshot: TRY_OUT is on, since OPENAI_API_KEY, STRIPE_SECRET_KEY, SMTP_URL or PUBLIC_URL is not set'
  export TRY_OUT=true
fi

if [ -z "${OPENAI_API_KEY:-}" ]; then
  echo 'packshot: OPENAI_API_KEY is not set, so the local renderer composes the images'
  export OPENAI_API_KEY=local OPENAI_BASE_URL=http://images:8080/v1 IMAGE_PROVIDER=local
fi

if [ -z "${STRIPE_SECRET_KEY:-}" ]; then
  echo 'packshot: STRIPE_SECRET_KEY is not set, so plans are paid at the local Stripe, where no money moves'
  # The key is localStripeKey of scripts/stripe/setup.ts. The webhook secret may be public: an event only makes Packshot
  # read the customer's state from Stripe.
  export STRIPE_SECRET_KEY=sk_test_packshot_local STRIPE_API_URL=http://stripe:12111
  export STRIPE_WEBHOOK_SECRET="$LOCAL_WEBHOOK_SECRET"
fi

if [ -z "${SMTP_URL:-}" ]; then
  echo 'packshot: SMTP_URL is not set, so mails are shown on a page and not delivered'
  export SMTP_URL=smtp://mail:1025
fi

# Prints a secret that is created once and kept on the volume that all containers mount, so that it survives a restart and all
# servers share it. Containers may start concurrently: ln is atomic, so the first one wins.
kept_secret() {
  if [ ! -s "$1" ]; then
    made=$(umask 077 && mktemp "$1.XXXXXX")
    od -An -N32 -tx1 /dev/urandom | tr -d ' \n' > "$made"
    ln "$made" "$1" 2>/dev/null || [ -s "$1" ]
    rm -f "$made"
  fi
  cat "$1"
}

if [ -z "${SESSION_SECRET:-}" ]; then
  SESSION_SECRET=$(kept_secret /data/.session-secret)
  export SESSION_SECRET
fi

if [ -z "${SEALING_KEYS:-}" ]; then
  SEALING_KEYS=$(kept_secret /data/.sealing-key)
  export SEALING_KEYS
fi

exec "$@"
