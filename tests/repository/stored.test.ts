/** Whatever is stored for a seller has a bound, which the table of decision 84 names. */

import mongoose from 'mongoose';
import { expect, test } from 'vitest';
import { limits } from '#contract';
import { requestLimits } from '#contract/request-limits.ts';
import { createDb } from '#shared/data/collection.ts';
import { modelsOf } from '#shared/data/collections.ts';
import { storageKeys } from '#shared/storage/storage.ts';
import { readInCheckout } from '#tests/support/checkout.ts';

const document = readInCheckout('docs/decisions/0084-what-is-stored-unpaid.md');
const table = document.split('| What | Bound |')[1]!.split('\n\n')[0]!;
const rows = [...table.matchAll(/^\| (.+?) \| (.+) \|$/gm)].map(
  ([, what, bound]) => [what!, bound!] as const,
);
const codeIn = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, code]) => code!);

test('each collection and each kind of file is in the table once, and nothing else is', () => {
  const collections = Object.keys(modelsOf(createDb(mongoose.createConnection())));
  const named = rows.flatMap(([what]) => codeIn(what));
  expect(named.toSorted()).toEqual([...collections, ...Object.keys(storageKeys)].toSorted());
});

test('the limits that it names exist', () => {
  const known = new Set([
    ...Object.keys(limits),
    ...Object.keys(requestLimits.network),
    ...rows.flatMap(([what]) => codeIn(what)),
  ]);
  expect(rows.flatMap(([, bound]) => codeIn(bound)).filter((name) => !known.has(name))).toEqual([]);
});
