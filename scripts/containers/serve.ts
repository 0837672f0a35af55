/**
 * Runs a local service in a container, on its usual port and reachable from other containers:
 * `serve.ts mongo|openai|mail`, or `serve.ts stripe PAGES PACKSHOT WEBHOOK_SECRET`, where PAGES is the address of its
 * pages for browsers, PACKSHOT the address it sends events to, and WEBHOOK_SECRET the key that signs them.
 */

import { shutdownRequested } from '#local/shutdown-request.ts';
import { localStripeKey } from '#scripts/stripe/local-key.ts';
import { setUpStripe } from '#scripts/stripe/setup.ts';
import { openStripe } from '#shared/billing/client.ts';
import { readEnvironment } from '#shared/platform/environment.ts';

const host = '0.0.0.0';

const services: Record<string, (options: string[]) => Promise<{ url: string; close(): Promise<void> }>> = {
  async mongo() {
    const { startMongoServer } = await import('#local/mongo/server.ts');
    // As in MongoDB's own image.
    const { MONGO_INITDB_ROOT_USERNAME: name, MONGO_INITDB_ROOT_PASSWORD: password } = readEnvironment();
    const user = name && password ? { name, password } : undefined;
    return startMongoServer({ host, port: 27_017, dataFolder: '/data/db', user });
  },
  async openai() {
    const { startImageServer } = await import('#local/openai/server.ts');
    return startImageServer({ host, port: 8_080 });
  },
  async stripe([publicUrl, packshotUrl, webhookSecret]) {
    if (!publicUrl || !packshotUrl || !webhookSecret)
      throw new Error('stripe takes PAGES PACKSHOT WEBHOOK_SECRET');
    const { startStripeServer } = await import('#local/stripe/server.ts');
    const options = { dataFolder: '/data/stripe', publicUrl, webhookSecret };
    // Set up on a private port first, so that the prices exist when the public port opens.
    const setup = await startStripeServer(options);
    const stripe = openStripe({ secretKey: localStripeKey, apiUrl: setup.url });
    await setUpStripe(stripe, packshotUrl, true).finally(() => setup.close());
    return startStripeServer({ ...options, host, port: 12_111 });
  },
  async mail() {
    const { startMailServer } = await import('#local/mail/server.ts');
    return startMailServer({ host, port: 1_025, webPort: 8_025, dataFolder: '/data/mail' });
  },
};

const [name = '', ...options] = process.argv.slice(2);
if (!Object.hasOwn(services, name)) {
  console.error(`serve: the first argument must be one of ${Object.keys(services).join(', ')}`);
  process.exit(1);
}
const end = shutdownRequested();
const service = await Promise.race([services[name]!(options), end]);
if (service === undefined) process.exit(0);
// The same words that MongoDB logs when it is ready, so that tools waiting for its image work with this one.
console.log(`Waiting for connections: ${service.url}`);
await end;
await service.close();
process.exit(0);
