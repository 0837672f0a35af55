/** A server whose only route makes the query of `GET /api/generations`. Arguments: MongoDB's URL, the seller's id. */
import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import { MongoClient } from 'mongodb';
import { limits, paths } from '#contract';

const [mongodbUrl, sellerId] = process.argv.slice(2);
const client = await new MongoClient(mongodbUrl!).connect();
const rows = client.db().collection('generations');
const app = Fastify();
app.get(paths.generations, async () => ({
  generations: await rows
    .find({ profile: sellerId, state: { $ne: 'receiving' } })
    .sort({ created_at: -1, _id: -1 })
    .limit(limits.pageSize + 1)
    .toArray(),
}));
await app.listen({ host: '127.0.0.1', port: 0 });
process.send?.({ ready: true, url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}` });
process.once('SIGTERM', async () => {
  await app.close();
  await client.close();
  process.exit(0);
});
