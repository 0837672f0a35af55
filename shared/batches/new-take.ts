import { randomInt } from 'node:crypto';
import { limits } from '#contract';
import type { QueuedTake } from '#shared/data/batches/items.ts';
import type { BatchItemRow, BatchRow } from '#shared/data/batches/schema.ts';
import { newId } from '#shared/data/db.ts';
import type { NewGeneration } from '#shared/data/generations/receive.ts';
import type { UserSettingsRow } from '#shared/data/user-settings.ts';
import type { Config } from '#shared/platform/config.ts';
import { imageCapabilitiesOf } from '#shared/platform/image-models.ts';

/**
 * The row of an image of a batch. Each is a generation by itself; the photos of a batch are one photo set.
 * @param project undefined for the default project
 */
export function newTake({
  batch,
  item,
  queued: { take, attempt },
  project,
  settings,
  model,
}: {
  batch: BatchRow;
  item: BatchItemRow;
  queued: QueuedTake;
  project: string | undefined;
  settings: UserSettingsRow;
  model: Pick<Config['image'], 'provider' | 'model'>;
}): NewGeneration {
  const id = newId();
  // No request can have this key: a header's key has no space.
  const key = `batch ${batch._id} ${item.index} ${take} ${attempt}`;
  return {
    _id: id,
    profile: batch.profile,
    idempotency_key: key,
    fingerprint: key,
    ...(project !== undefined && { project }),
    prompt: item.prompt,
    product_name: item.name,
    ...(item.sku !== '' && { sku: item.sku }),
    count: 1,
    quality: settings.image_quality,
    photos_show: 'one-product',
    options: {
      negativePrompt: item.negative_prompt,
      width: item.width,
      height: item.height,
      style: item.style,
      background: item.background,
      seed: imageCapabilitiesOf(model).seed ? randomInt(limits.seed + 1) : null,
    },
    photo_set: batch._id,
    set: { id, index: 0, size: 1 },
    batch: { id: batch._id, row: item.index, take, attempt },
    ...(batch.network !== undefined && { network: batch.network }),
    created_at: new Date(),
  };
}
