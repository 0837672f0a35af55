import { describe, expect, it } from 'vitest';
import { IdempotencyKey } from './idempotency-key.ts';

function numberedKeys(): IdempotencyKey {
  let count = 0;
  return new IdempotencyKey(() => {
    count += 1;
    return `key ${count}`;
  });
}

describe('IdempotencyKey', () => {
  it('is the same for the same content until a reply comes', () => {
    const idempotencyKey = numberedKeys();
    expect(idempotencyKey.for('cup')).toBe('key 1');
    expect(idempotencyKey.for('cup')).toBe('key 1');
  });

  it('is new when the content changes, also when it changes back', () => {
    const idempotencyKey = numberedKeys();
    expect(['cup', 'lamp', 'cup'].map((content) => idempotencyKey.for(content))).toEqual([
      'key 1',
      'key 2',
      'key 3',
    ]);
  });

  it('is new for the same content after a definite reply', () => {
    const idempotencyKey = numberedKeys();
    idempotencyKey.for('cup');
    idempotencyKey.clear();
    expect(idempotencyKey.for('cup')).toBe('key 2');
  });
});

it('continues with the key of a form that was sent before a crash, unless something else was sent since', () => {
  const key = new IdempotencyKey(() => 'new');
  key.restore({ content: 'cup', key: 'old' });
  expect(key.for('cup')).toBe('old');
  expect(key.for('vase')).toBe('new');
  key.restore({ content: 'cup', key: 'old' });
  expect(key.for('vase')).toBe('new');
});
