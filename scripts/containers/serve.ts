/**
 * A local service inside a container, on its usual port, reachable from other containers: `serve.ts mongo|openai|mail`,
 * or `serve.ts stripe PAGES PACKSHOT WEBHOOK_SECRET` with the address at which browsers reach its pages, the one at
 * which it reaches Packshot, and the secret that it signs its events with.
 */

import { shutdownRequested } from '#local/shutdown-request.ts';
import { localStripeKey, setUpStripe } from '#scripts/stripe/setup.ts';
import { openStripe } from '#shared/billing/client.ts';

const host = '0.0.0.0';

const services: Record<string, (options: string[]) => Promise<{ url: string; close(): Promise<void> }>> = {
  async mongo() {
    const { startMongoServer } = await import('#local/mongo/server.ts');
    return startMongoServer({ host, port: 27_017, dataFolder: '/data/db' });
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
    // Where only this process reaches it, so that the first answer that others get has the prices in it.
    const unseen = await startStripeServer(options);
    const stripe = openStripe({ secretKey: localStripeKey, apiUrl: unseen.url });
    await setUpStripe(stripe, packshotUrl, true).finally(() => unseen.close());
    return startStripeServer({ ...options, host, port: 12_111 });
  },
  async mail() {
    const { startMailServer } = await import('#local/mail/server.ts');
    return startMailServer({ host, port: 1_025, webPort: 8_025, dataFolder: '/data/mail' });
  },
};

const [name = '', ...options] = process.argv.slice(2);
if (!Object.hasOwn(services, name)) {
  console.error(`serve: name one service: ${Object.keys(services).join(', ')}`);
  process.exit(1);
}
const end = shutdownRequested();
const service = await Promise.race([services[name]!(options), end]);
if (service === undefined) process.exit(0);
// What MongoDB logs too when it is ready: whoever starts its image waits for this.
console.log(`Waiting for connections: ${service.url}`);
await end;
await service.close();
process.exit(0);
