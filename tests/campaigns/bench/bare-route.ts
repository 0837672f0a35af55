/**
 * A server with the lists of Packshot and nothing else: each route asks MongoDB through the driver for the rows of the page, with
 * the fields that Packshot reads, and sends them as they are. Nobody is authenticated, nothing is counted, presented, checked
 * against a schema or logged. Arguments: MongoDB's URL, the seller's id, the id of a batch.
 */
import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import { type Document, MongoClient } from 'mongodb';
import { limits, paths } from '#contract';
import { batchPaths } from '#contract/batch-paths.ts';
import { decodePlace } from '#server/library/cursor.ts';
import { batchFields } from '#shared/data/generations/batches.ts';
import { shownFields } from '#shared/data/generations/find.ts';
import { wordsOf } from '#shared/data/generations/search-fields.ts';

const [mongodbUrl, profile, batch] = process.argv.slice(2);
const client = await new MongoClient(mongodbUrl!).connect();
const db = client.db();
const rows = db.collection('generations');
const shown = Object.fromEntries(shownFields.map((name) => [name, 1]));
const app = Fastify();

const page = async (also: Document = {}) => ({
  generations: await rows
    .find({ profile, state: { $ne: 'receiving' }, deletion: null, ...also }, { projection: shown })
    .sort({ created_at: -1, _id: -1 })
    .limit(limits.pageSize + 1)
    .toArray(),
});

app.get(paths.generations, () => page());
app.get<{ Querystring: { q?: string; cursor?: string } }>(paths.library, ({ query: { q, cursor } }) => {
  if (cursor !== undefined) {
    const { created_at: at, _id } = decodePlace(cursor, 'newest');
    return page({
      created_at: { $lte: at },
      $or: [{ created_at: { $lt: at } }, { _id: { $lt: _id } }],
    });
  }
  const words = wordsOf(q ?? '').map((word) => ({
    words: { $elemMatch: { $gte: word, $lt: `${word}\u{10ffff}` } },
  }));
  return page(words.length > 0 ? { $and: words } : {});
});
app.get(batchPaths.batch(':id'), () => db.collection<{ _id: string }>('batches').findOne({ _id: batch! }));
app.get(batchPaths.batchItems(':id'), async () => {
  const range = { $gte: 0, $lt: limits.batchRowsPage };
  const [items, images] = await Promise.all([
    db.collection('batch_items').find({ batch, index: range }).sort({ index: 1 }).toArray(),
    rows
      .find(
        { 'batch.id': batch, 'batch.row': range, 'batch.replaced': { $ne: true } },
        { projection: batchFields },
      )
      .toArray(),
  ]);
  return { items, images };
});

await app.listen({ host: '127.0.0.1', port: 0 });
process.send?.({ ready: true, url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}` });
process.once('SIGTERM', async () => {
  await app.close();
  await client.close();
  process.exit(0);
});
