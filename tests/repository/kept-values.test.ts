/** What is read once a second, and what may be decided by it (docs/decisions/0126-what-rarely-changes-is-read-once-a-second.md). */
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { rootFolder } from '#shared/platform/root-folder.ts';

/** What is kept, and who may ask for it: how an image is made, when it is called, what is shown. Nothing of money or admission. */
const allowed = {
  knownSettings: ['shared/generations/submit.ts'],
  knownWithoutMails: ['shared/generations/notifications.ts'],
  knownProviderPause: ['worker/flow/provider-pause.ts'],
  knownProviderFlow: ['worker/flow/provider-slots.ts'],
  knownLanes: ['shared/data/generations/queue-position.ts'],
};

/** Where they are declared, and forgotten when they change. */
const declared = [
  'shared/data/accounts/change-settings.ts',
  'shared/data/accounts/user-settings.ts',
  'shared/data/queue/provider-flow.ts',
  'shared/data/queue/provider-pauses.ts',
  'shared/data/queue/queue-lanes.ts',
];

test('only what is listed is kept for a second, and only what is listed asks for it', async () => {
  const keeping: string[] = [];
  const asking = Object.fromEntries(Object.keys(allowed).map((name) => [name, [] as string[]]));
  const sources = glob('{server,worker,shared}/**/*.ts', { cwd: rootFolder, exclude: ['**/*.test.ts'] });
  for await (const file of sources) {
    const text = await readFile(join(rootFolder, file), 'utf8');
    if (/\bkeep(<|\()/.test(text) && text.includes('/kept.ts')) keeping.push(file);
    if (declared.includes(file)) continue;
    for (const name of Object.keys(allowed)) if (text.includes(`${name}(`)) asking[name]!.push(file);
  }
  expect(keeping.toSorted()).toEqual(declared.slice(1));
  expect(Object.fromEntries(Object.entries(asking).map(([name, files]) => [name, files.toSorted()]))).toEqual(
    allowed,
  );
});
