import Stripe from 'stripe';
import type { Db } from '#shared/data/db.ts';
import type { Config } from '#shared/platform/config.ts';
import type { Log } from '#shared/platform/log.ts';
import type { EventRelay } from '#shared/platform/relay.ts';
import { type Catalogue, readCatalogue } from './catalogue.ts';

/** The Stripe client, and the prices of the plans. */
export interface Billing {
  stripe: Stripe;
  /** The prices, cached for five minutes. @throws BillingSetupError; Stripe's error when it does not answer */
  catalogue(): Promise<Catalogue>;
}

/** What billing needs; the contexts of server and worker have it. */
export interface BillingContext {
  config: Config;
  db: Db;
  relay: EventRelay;
  log: Log;
  billing: Billing;
}

const catalogueMs = 300_000;

/** Whether an error says that Stripe has no object with the id of a request. */
export function isMissing(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing';
}

/** For the `catch` of a request: null when Stripe has no object with that id. @throws every other error */
export function nullIfMissing(error: unknown): null {
  if (isMissing(error)) return null;
  throw error;
}

/** Creates a Stripe client, without a request. @param apiUrl another server with Stripe's API, such as the local one */
export function openStripe({ secretKey, apiUrl }: Pick<Config['billing'], 'secretKey' | 'apiUrl'>): Stripe {
  const server = apiUrl === undefined ? undefined : new URL(apiUrl);
  return new Stripe(secretKey, {
    maxNetworkRetries: 2,
    // A seller waits for the answer. Usually it takes a second or two; the SDK's default is 80 s.
    timeout: 20_000,
    telemetry: false,
    ...(server && {
      host: server.hostname,
      port: server.port || (server.protocol === 'https:' ? '443' : '80'),
      protocol: server.protocol === 'https:' ? 'https' : 'http',
    }),
  });
}

/** Creates a Stripe client with a cache of the plans' prices. */
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
