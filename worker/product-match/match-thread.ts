/** The thread that compares images with photos, one at a time. */
import { parentPort } from 'node:worker_threads';
import { type MatchOrder, matchReportOf } from './match-order.ts';
import { matchProduct } from './match-product.ts';

parentPort!.on('message', async (order: MatchOrder) => {
  const photos = order.photos.map(({ key, png }) => ({ key, png: Buffer.from(png) }));
  const report = await matchReportOf(() => matchProduct(photos, Buffer.from(order.image), order.photosShow));
  parentPort!.postMessage({ id: order.id, ...report });
});
