/** What sellers do with batches. */

import type { BatchView } from '#contract';
import { batchPaths } from '#contract/batch-paths.ts';
import { type Action, click, formTries, outcome, photo, photoSha256, untilAnswered } from './requests.ts';

/** A batch of which some images wait for a place, which is sometimes paused and resumed, or cancelled. */
export const batch: Action = async (_stores, seller, random) => {
  const key = `chaos-${random.below(2 ** 31)}`;
  const rows = Array.from({ length: random.between(1, 8) }, (_, index) => ({
    sku: `SKU-${index}`,
    prompt: 'On oak',
    photos: [{ name: 'photo.png', sha256: photoSha256 }],
  }));
  const body = { key, name: 'Chaos', rows };
  const made = await untilAnswered(
    () => seller.client.send<BatchView>('POST', batchPaths.batches, body),
    formTries,
  );
  if (made?.status !== 201 && made?.status !== 200) return `batch: ${outcome(made)}`;
  const { id } = made.body;
  const upload = await untilAnswered(() => {
    const form = new FormData();
    form.append('images', new Blob([new Uint8Array(photo)], { type: 'image/png' }), 'photo.png');
    return seller.client.request(batchPaths.batchPhoto(id, photoSha256), { method: 'PUT', body: form });
  }, formTries);
  if (upload?.status !== 200) return `batch ${id}, photo: ${outcome(upload)}`;
  const started = await click(seller, 'POST', batchPaths.batchAction(id, 'start'));
  seller.batches.push(id);
  const next = random.pick(['nothing', 'nothing', 'cancel', 'pause and resume'] as const);
  if (next === 'cancel') await click(seller, 'POST', batchPaths.batchAction(id, 'cancel'));
  if (next === 'pause and resume') {
    await click(seller, 'POST', batchPaths.batchAction(id, 'pause'));
    await untilAnswered(() => seller.client.send('POST', batchPaths.batchAction(id, 'resume')), formTries);
  }
  return `batch ${id} of ${rows.length}, started: ${outcome(started)}, then ${next}`;
};

/** Pauses, resumes or cancels a batch of before. */
export const steerBatch: Action = async (_stores, seller, random) => {
  if (seller.batches.length === 0) return 'steer a batch: nothing';
  const id = random.pick(seller.batches);
  const action = random.pick(['pause', 'pause', 'resume', 'resume', 'resume', 'cancel', 'retry'] as const);
  return `${action} ${id}: ${outcome(await click(seller, 'POST', batchPaths.batchAction(id, action)))}`;
};
