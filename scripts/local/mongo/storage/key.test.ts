import { Binary, Double, ObjectId } from 'bson';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compareValues } from '../bson/compare.ts';
import { decode } from '../bson/decode.ts';
import { encode } from '../bson/encode.ts';
import type { Doc, Value } from '../bson/values.ts';
import { encodeKey } from './key.ts';

const number: fc.Arbitrary<Value> = fc.oneof(
  fc.integer(),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.constantFrom(2n ** 53n, 2n ** 53n + 1n, -(2n ** 53n) - 1n, 0, 1, -1),
  fc.double().map((each) => new Double(each)),
);
const { value } = fc.letrec<{ value: Value; doc: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2 },
    number,
    fc.string({ unit: 'binary', maxLength: 4 }),
    fc.constantFrom<Value>(null, true, false),
    fc.integer({ min: -1e12, max: 1e12 }).map((ms) => new Date(ms)),
    fc.uint8Array({ maxLength: 3 }).map((bytes) => new Binary(bytes)),
    fc.uint8Array({ minLength: 12, maxLength: 12 }).map((bytes) => new ObjectId(bytes)),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('doc'),
  ),
  doc: fc
    .uniqueArray(fc.tuple(fc.constantFrom('a', 'b', '1', ''), tie('value')), {
      maxLength: 3,
      selector: ([name]) => name,
    })
    .map((fields): Value => new Map(fields)),
}));

it('orders keys like their values, in both directions', () => {
  fc.assert(
    fc.property(value, value, (a, b) => {
      const order = Math.sign(compareValues(a, b));
      expect(Buffer.compare(encodeKey(a), encodeKey(b))).toBe(order);
      expect(Buffer.compare(encodeKey(a, true), encodeKey(b, true)) + order).toBe(0);
    }),
    // A text and the same text followed by control characters: random texts are rarely such a pair.
    {
      numRuns: 3000,
      examples: [
        ['\0', ''],
        ['', '\0'],
        ['a\u0001', 'a\0'],
        ['a\u0001', 'a'],
        ['a\u0002', 'a\u0001'],
      ],
    },
  );
});

it('creates no key that is a prefix of another', () => {
  fc.assert(
    fc.property(value, value, (a, b) => {
      const [left, right] = [encodeKey(a), encodeKey(b)];
      if (!left.equals(right)) expect(left.subarray(0, right.length).equals(right)).toBe(false);
    }),
    {
      numRuns: 1000,
      examples: [
        ['\0', ''],
        ['', '\0'],
        ['a\u0001', 'a'],
      ],
    },
  );
});

it('decodes what it encodes, byte for byte', () => {
  fc.assert(
    fc.property(value, (each) => {
      const bytes = encode(new Map([['v', each]]) as Doc);
      expect(encode(decode(bytes)).equals(bytes)).toBe(true);
    }),
    { numRuns: 1000 },
  );
});
