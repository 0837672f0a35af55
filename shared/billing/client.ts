import Stripe from 'stripe';
import type { Db } from '#shared/data/db.ts';
import type { Config } from '#shared/platform/config.ts';
import type { Log } from '#shared/platform/log.ts';
import type { EventRelay } from '#shared/platform/relay.ts';
import { type Catalogue, readCatalogue } from './catalogue.ts';

/** Stripe, and what we sell there. */
export interface Billing {
  stripe: Stripe;
  /** The prices, read again every few minutes. @throws BillingSetupError, or Stripe's error when it does not answer */
  catalogue(): Promise<Catalogue>;
}

/** What billing works with; server and worker have it. */
export interface BillingContext {
  config: Config;
  db: Db;
  relay: EventRelay;
  log: Log;
  billing: Billing;
}

const catalogueMs = 300_000;

/** Whether Stripe says that it has nothing under an id. */
export function isMissing(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing';
}

/** For a request's `catch`: null when Stripe has nothing under that id. @throws every other error */
export function nullIfMissing(error: unknown): null {
  if (isMissing(error)) return null;
  throw error;
}

/** Opens Stripe's client; nothing is asked yet. @param apiUrl another server with Stripe's protocol */
export function openStripe({ secretKey, apiUrl }: Pick<Config['billing'], 'secretKey' | 'apiUrl'>): Stripe {
  const server = apiUrl === undefined ? undefined : new URL(apiUrl);
  return new Stripe(secretKey, {
    maxNetworkRetries: 2,
    // A seller waits for it; Stripe answers within a second or two.
    timeout: 20_000,
    telemetry: false,
    ...(server && {
      host: server.hostname,
      port: server.port || (server.protocol === 'https:' ? '443' : '80'),
      protocol: server.protocol === 'https:' ? 'https' : 'http',
    }),
  });
}

/** Opens Stripe with the prices of our plans. */
export function openBilling(config: Pick<Config['billing'], 'secretKey' | 'apiUrl'>): Billing {
  const stripe = openStripe(config);
  let known: { catalogue: Promise<Catalogue>; until: number } | undefined;
  return {
    stripe,
    catalogue() {
      if (known === undefined || known.until < Date.now()) {
        const catalogue = readCatalogue(stripe);
        const entry = { catalogue, until: Date.now() + catalogueMs };
        known = entry;
        catalogue.catch(() => {
          if (known === entry) known = undefined;
        });
      }
      return known.catalogue;
    },
  };
}
