/** What statements of `shared/data` must not do, because servers with MongoDB's protocol differ in it or nobody would notice. */
import { expect, test } from 'vitest';
import { readInCheckout, trackedFiles } from '#tests/support/checkout.ts';

const files = trackedFiles('shared/data').filter((file) => /(?<!\.test)\.ts$/.test(file));

/** The lines of `shared/data` that match, without those of the file that may have them. */
function linesWith(pattern: RegExp, allowedIn: string): string[] {
  return files
    .filter((file) => file !== allowedIn)
    .flatMap((file) =>
      readInCheckout(file)
        .split('\n')
        .filter((line) => pattern.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    );
}

test('no update changes all elements of an array, which may be empty or absent', () => {
  expect(files.length).toBeGreaterThan(50);
  expect(linesWith(/\.\$\[/, '')).toEqual([]);
});

test('only one place adds several elements to a list, and it adds at least one', () => {
  expect(linesWith(/(?<!\$)\$each\b/, 'shared/data/add-to-lists.ts')).toEqual([]);
});

test('whoever removes one document sees whether it was removed', () => {
  expect(linesWith(/^\s*await [^=]*\.deleteOne\(/, 'shared/data/migrations/migrate.ts')).toEqual([]);
});
