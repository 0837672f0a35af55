import { describe, expect, it } from 'vitest';
import { IdempotencyKey } from './idempotency-key.ts';

function numbered(): IdempotencyKey {
  let count = 0;
  return new IdempotencyKey(() => {
    count += 1;
    return `key ${count}`;
  });
}

describe('Intent', () => {
  it('keeps one key for the same content until an answer comes', () => {
    const intent = numbered();
    expect(intent.keyFor('cup')).toBe('key 1');
    expect(intent.keyFor('cup')).toBe('key 1');
  });

  it('takes a new key when the content changes, also when it changes back', () => {
    const intent = numbered();
    expect([intent.keyFor('cup'), intent.keyFor('lamp'), intent.keyFor('cup')]).toEqual([
      'key 1',
      'key 2',
      'key 3',
    ]);
  });

  it('takes a new key for the same content after a definite answer', () => {
    const intent = numbered();
    intent.keyFor('cup');
    intent.settle();
    expect(intent.keyFor('cup')).toBe('key 2');
  });
});
