/** `serve.ts mongo|openai`: a local service inside a container, on its usual port, reachable from other containers. */
import { askedToEnd } from '../lifetime.ts';

const host = '0.0.0.0';

const services: Record<string, () => Promise<{ url: string; close(): Promise<void> }>> = {
  async mongo() {
    const { startMongoServer } = await import('../local/mongo/server.ts');
    return startMongoServer({ host, port: 27_017, dataFolder: '/data/db' });
  },
  async openai() {
    const { startImageServer } = await import('../local/openai/server.ts');
    return startImageServer({ host, port: 8_080 });
  },
};

const name = process.argv[2] ?? '';
if (!Object.hasOwn(services, name)) {
  console.error(`serve: name one service: ${Object.keys(services).join(' or ')}`);
  process.exit(1);
}
const end = askedToEnd();
const service = await Promise.race([services[name]!(), end]);
if (service === undefined) process.exit(0);
// What MongoDB logs too when it is ready: whoever starts its image waits for this.
console.log(`Waiting for connections: ${service.url}`);
await end;
await service.close();
process.exit(0);
