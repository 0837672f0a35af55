import { defaultOptions } from '#contract';

/** What every row of a generation has, for tests that store rows without making images. */
export const rowDefaults = (id: string) => ({
  _id: id,
  idempotency_key: id,
  fingerprint: id,
  prompt: 'On a wooden table',
  count: 1,
  quality: 'high' as const,
  photos_show: 'one-product' as const,
  options: { ...defaultOptions, negativePrompt: '', seed: null },
  photo_set: id,
  set: { id, index: 0, size: 1 },
  trace: { id: '0'.repeat(32), parent: null },
});
