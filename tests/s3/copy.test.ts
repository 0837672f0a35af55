/** `npm run storage:copy`: from a folder to a bucket and back. */
import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, inject, test } from 'vitest';
import { childEnvironment } from '#scripts/start/child-environment.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';
import type { GivenSettings } from '#shared/platform/settings.ts';
import { openMarkerPlace, openStorage } from '#shared/storage/open-storage.ts';
import { type Storage, storageKeys } from '#shared/storage/storage.ts';
import { newFolder } from '#tests/support/new-folder.ts';
import { bucketSettings } from '#tests/support/s3/bucket.ts';
import { newPrefix } from '#tests/support/s3-server.ts';

const noBucket = inject('s3Bucket') === undefined;

/** Runs the command. @returns its status and what it printed */
async function copy(settings: GivenSettings, ...urls: string[]): Promise<{ status: number; output: string }> {
  const command = [join(rootFolder, 'scripts/storage-copy/main.ts'), ...urls];
  const options = { env: childEnvironment(settings), cwd: rootFolder };
  return promisify(execFile)(process.execPath, command, options).then(
    ({ stdout, stderr }) => ({ status: 0, output: stdout + stderr }),
    ({ code, stdout, stderr }) => ({ status: code as number, output: stdout + stderr }),
  );
}

async function contentOf(storage: Storage): Promise<Record<string, string>> {
  const content: Record<string, string> = {};
  for await (const { key } of storage.list()) content[key] = (await storage.get(key))!.toString('base64');
  return content;
}

test.skipIf(noBucket)('an installation moves to a bucket, is verified there, and moves back', async () => {
  const place = newPrefix();
  const folders = [await newFolder(), await newFolder()] as const;
  const [first, back] = folders.map((folder) => ({ kind: 'file', folder }) as const) as [
    { kind: 'file'; folder: string },
    { kind: 'file'; folder: string },
  ];
  const [firstUrl, backUrl] = folders.map((folder) => pathToFileURL(folder).href) as [string, string];
  const settings = bucketSettings(place);
  const bucketUrl = settings.STORAGE_URL!;
  const source = await openStorage(first);
  const bucket = await openStorage(place);
  const keys = Array.from({ length: 30 }, (_, index) => storageKeys.image(String(index), 1));
  for (const key of keys) await source.put(key, randomBytes(20_000));
  await source.put(storageKeys.lookPicture('1'), Buffer.alloc(0));
  const content = await contentOf(source);

  const unmarked = await copy(settings, firstUrl, bucketUrl);
  expect([unmarked.status, unmarked.output]).toEqual([
    1,
    expect.stringContaining('it is no storage of Packshot'),
  ]);
  const marker = randomUUID();
  await (await openMarkerPlace(first)).create(marker);

  // What a copy that was stopped has left, one file of it with other bytes.
  await bucket.put(keys[0]!, Buffer.from(content[keys[0]!]!, 'base64'));
  await bucket.put(keys[1]!, randomBytes(20_000));
  const moved = await copy(settings, firstUrl, bucketUrl);
  expect(moved.output).toContain(`${keys[1]}: it was different in TO; it is copied again`);
  expect(moved.output).toContain('30 files copied, 1 were there, 0.6 MB verified, 0 problems');
  expect(moved.status).toBe(0);
  expect(await contentOf(bucket)).toEqual(content);
  expect(await (await openMarkerPlace(place)).read()).toBe(marker);

  // Running it again verifies: a file that is missing, one that is different, and one too many are reported.
  await bucket.removeGeneration('2');
  await bucket.put(keys[3]!, Buffer.from('damaged'));
  await bucket.put(storageKeys.image('other', 1), Buffer.from('other'));
  const verified = await copy(settings, firstUrl, bucketUrl);
  for (const line of [
    `${keys[2]}: it was missing in TO; it is copied again`,
    `${keys[3]}: it was different in TO; it is copied again`,
    `${storageKeys.image('other', 1)}: only TO has it`,
    '2 files copied, 29 were there, 0.6 MB verified, 0 problems',
  ]) {
    expect(verified.output).toContain(line);
  }
  await bucket.removeGeneration('other');

  const moveBack = await copy(settings, bucketUrl, backUrl);
  expect(moveBack).toMatchObject({
    status: 0,
    output: expect.stringContaining('31 files copied, 0 were there'),
  });
  expect(await contentOf(await openStorage(back))).toEqual(content);

  const elsewhere = newPrefix();
  await (await openMarkerPlace(elsewhere)).create(randomUUID());
  for (const [urls, text] of [
    [[bucketUrl, bucketSettings(elsewhere).STORAGE_URL!], 'belongs to another database'],
    [[bucketUrl, bucketUrl], 'FROM and TO are the same storage'],
    [[bucketUrl, 's3://images'], 'TO: needs region='],
    [[bucketUrl], 'it takes FROM TO'],
    [
      [bucketSettings({ ...place, bucket: 'packshot-absent' }).STORAGE_URL!, backUrl],
      'there is no such bucket',
    ],
  ] as const) {
    const refused = await copy(settings, ...urls);
    expect([refused.status, refused.output]).toEqual([1, expect.stringContaining(text)]);
    expect(refused.output.trim()).not.toContain('\n');
  }
});
