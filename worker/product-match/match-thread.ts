/** The thread that compares images with photos, one at a time. */
import { parentPort } from 'node:worker_threads';
import { type MatchOrder, matchReportOf } from './match-order.ts';
import { findProducts, matchProduct } from './match-product.ts';

parentPort!.on('message', async ({ id, photos: sent, image, photosShow }: MatchOrder) => {
  const photos = sent.map(({ key, file }) => ({ key, file: Buffer.from(file) }));
  const report = await matchReportOf(async () => {
    if (image) return matchProduct(photos, Buffer.from(image), photosShow);
    await findProducts(photos);
    return null;
  });
  parentPort!.postMessage({ id, ...report });
});
