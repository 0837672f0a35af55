/** Commands for operators answer what they do not know, and a database that is away, with one line. */
import { expect, test } from 'vitest';
import { runWithoutDatabase } from '#tests/support/program.ts';

test('a command does nothing when it gets an unknown option', async () => {
  expect(await runWithoutDatabase('audit', '--help')).toEqual({
    status: 1,
    lines: [expect.stringContaining("audit: Unknown option '--help'")],
  });
});

test('a command says that the database does not answer', async () => {
  expect(await runWithoutDatabase('account', 'show', 'seller@shop.example')).toEqual({
    status: 1,
    lines: [expect.stringMatching(/^account: .*127\.0\.0\.1:9/)],
  });
});
