import { expect, test } from 'vitest';
import { safetyIdentifier, takesHighFidelity } from './call.ts';
import { replyBytesMost } from './replies.ts';

test.for<[model: string, takes: boolean]>([
  ['gpt-image-1', true],
  ['gpt-image-1.5', true],
  ['gpt-image-1.5-2025-12-16', true],
  ['gpt-image-1-mini', false],
  ['gpt-image-2', false],
  ['gpt-image-2.5-flare', false],
  ['chatgpt-image-latest', false],
])('%s is told to keep the details of photos: %s', ([model, takes]) => {
  expect(takesHighFidelity(model)).toBe(takes);
});

test('an identifier stands for one seller, and only who has the key can compute it', () => {
  const [one, other] = ['656f00000000000000000001', '656f00000000000000000002'] as const;
  expect(safetyIdentifier(one, 'sk-a')).toBe(safetyIdentifier(one, 'sk-a'));
  expect(safetyIdentifier(one, 'sk-a')).not.toBe(safetyIdentifier(other, 'sk-a'));
  expect(safetyIdentifier(one, 'sk-a')).not.toBe(safetyIdentifier(one, 'sk-b'));
  // OpenAI takes 64 characters.
  expect(safetyIdentifier(one, 'sk-a')).toMatch(/^[0-9a-f]{64}$/);
});

test('the longest reply has room for images that are not compressed', () => {
  const base64 = (bytes: number) => Math.ceil(bytes / 3) * 4;
  for (const side of [1_024, 2_048]) {
    // A row of PNG has a byte more, a block of 64 kB five.
    const png = side * (side * 4 + 1) * 1.0001;
    expect(replyBytesMost({ width: side, height: side }, 2)).toBeGreaterThan(3 * base64(png));
  }
  expect(replyBytesMost({ width: 1_024, height: 1_024 }, 2)).toBeLessThan(20 * 2 ** 20);
});
