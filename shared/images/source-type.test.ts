/** How images say that they were made, by the IPTC's list. */
import { expect, test } from 'vitest';
import type { ImageProviderName } from '#contract';
import { sourceTypeAmong } from './source-type.ts';

/** Versions that were made one of the other; a version of `null` is gone. */
function typeOf(...providers: (ImageProviderName | null)[]) {
  const versions = providers.map((name, index) => ({
    _id: `${index}`,
    ...(index > 0 && { parent: `${index - 1}` }),
    provider: { name } as never,
  }));
  const known = versions.filter((_, index) => providers[index] !== null);
  return sourceTypeAmong(versions.at(-1)!, known);
}

test.for([
  [['openai'], 'trainedAlgorithmicMedia'],
  [['openai', 'openai'], 'trainedAlgorithmicMedia'],
  [['local'], 'composite'],
  [['local', 'local'], 'composite'],
  // A picture of a photo and a drawn scene that AI has changed.
  [['local', 'openai'], 'compositeWithTrainedAlgorithmicMedia'],
  [['local', 'openai', 'local'], 'compositeWithTrainedAlgorithmicMedia'],
  [['local', 'local', 'openai'], 'compositeWithTrainedAlgorithmicMedia'],
  // A picture by AI that was changed without it stays one.
  [['openai', 'local'], 'trainedAlgorithmicMedia'],
  // What is gone may have been made by AI.
  [[null, 'local'], 'trainedAlgorithmicMedia'],
] as const)('%j: %s', ([providers, type]) => {
  expect(typeOf(...providers)).toBe(type);
});

test('another version of the same image does not count', () => {
  const versions = [
    { _id: 'first', provider: { name: 'local' } as never },
    { _id: 'by-ai', parent: 'first', provider: { name: 'openai' } as never },
    { _id: 'by-hand', parent: 'first', provider: { name: 'local' } as never },
  ];
  expect(sourceTypeAmong(versions[2]!, versions)).toBe('composite');
});
