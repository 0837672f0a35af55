#!/bin/sh
# Entrypoint of server and worker in docker-compose.yml. In a try-out installation (TRY_OUT=true) each outside service that
# .env does not configure is the local one of the profile `try-out`. Otherwise it changes nothing: what is missing, the program
# names. Then it executes the program.
set -eu

if [ "${TRY_OUT:-}" = true ]; then
  # By this setting and not by the key, which only the worker gets.
  if [ -z "${IMAGE_PROVIDER:-}" ]; then
    echo 'packshot: IMAGE_PROVIDER is not set, so the local renderer composes the images'
    export IMAGE_PROVIDER=local OPENAI_API_KEY=local OPENAI_BASE_URL=http://images:8080/v1
  fi
  if [ -z "${STRIPE_SECRET_KEY:-}" ]; then
    echo 'packshot: STRIPE_SECRET_KEY is not set, so plans are paid at the local Stripe, where no money moves'
    # The key is localStripeKey of scripts/stripe/setup.ts. The webhook secret may be public: an event only makes Packshot
    # read the customer's state from Stripe.
    export STRIPE_SECRET_KEY=sk_test_packshot_local STRIPE_API_URL=http://stripe:12111
    export STRIPE_WEBHOOK_SECRET=whsec_packshot_local
  fi
  if [ -z "${SMTP_URL:-}" ]; then
    echo 'packshot: SMTP_URL is not set, so mails are shown on a page and not delivered'
    export SMTP_URL=smtp://mail:1025
  fi
fi

exec "$@"
