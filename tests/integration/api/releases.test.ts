/** Two servers of different releases with one storage. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { paths, releaseHeader } from '#contract';
import { writeSmallSite } from '#tests/support/small-site.ts';
import { temporaryFolder, testWithStack } from '#tests/support/test.ts';

const extensions = ['js', 'css', 'avif', 'webp', 'jpg', 'png', 'svg', 'woff2'];
/** Files of a release, one of each kind. */
const filesOf = (release: string) =>
  Object.fromEntries(extensions.map((extension) => [`part-${release}.${extension}`, release.repeat(1_000)]));

const test = testWithStack({ workers: 0 })
  .extend('folders', { scope: 'file' }, async ({ stack }, { onCleanup }) => {
    const folder = await temporaryFolder(stack, onCleanup);
    const folders = ['1', '2'].map((release) => join(folder, release));
    await Promise.all(folders.map((each, index) => writeSmallSite(each, filesOf(String(index + 1)))));
    return folders;
  })
  .extend('servers', { scope: 'file' }, async ({ stack, folders }) => {
    const [one, two] = folders;
    return [(await stack.startServer({}, one)).url, (await stack.startServer({}, two)).url] as const;
  });

test('each server sends the assets of the other release exactly as that one does', async ({ servers }) => {
  for (const [release, own, other] of [
    ['1', ...servers],
    ['2', ...servers.toReversed()],
  ] as [string, string, string][]) {
    for (const name of Object.keys(filesOf(release))) {
      for (const encoding of ['br', 'gzip', 'identity']) {
        for (const method of ['GET', 'HEAD']) {
          const [expected, reply] = await Promise.all(
            [own, other].map((url) =>
              fetch(`${url}/assets/${name}`, { method, headers: { 'accept-encoding': encoding } }),
            ),
          );
          expect([name, reply!.status]).toEqual([name, 200]);
          const headers = (each: Response) => {
            const all = Object.fromEntries(each.headers);
            // They differ by request, or belong to files of this server.
            for (const left of ['date', 'x-request-id', 'etag', 'last-modified', 'accept-ranges'])
              delete all[left];
            return all;
          };
          expect([name, encoding, headers(reply!)]).toEqual([name, encoding, headers(expected!)]);
          expect(await reply!.text()).toBe(method === 'HEAD' ? '' : release.repeat(1_000));
        }
      }
    }
  }
});

test('an asset of no release is answered 404, which no proxy keeps', async ({ servers }) => {
  for (const url of servers) {
    for (const name of ['part-3.js', '..%2f..%2freleases%2flist.json', 'list.json', '__proto__']) {
      const reply = await fetch(`${url}/assets/${name}`);
      expect([name, reply.status, reply.headers.get('cache-control')]).toEqual([name, 404, 'no-store']);
    }
  }
});

test('replies of the API and documents name the release of their server', async ({ servers }) => {
  const releases = await Promise.all(
    servers.map(async (url) => {
      const reply = await fetch(url + paths.service);
      const page = await (await fetch(`${url}/dashboard`)).text();
      const named = /<html data-release="([^"]+)"/.exec(page)?.[1];
      expect(named).toBe(reply.headers.get(releaseHeader));
      // Errors do, too.
      expect((await fetch(url + paths.me)).headers.get(releaseHeader)).toBe(named);
      return named;
    }),
  );
  expect(releases[0]).toMatch(/^[0-9a-f]{16}$/);
  expect(releases[0]).not.toBe(releases[1]);
});

test('a server without a web app of its own names none', async ({ stack }) => {
  expect((await fetch(stack.url + paths.service)).headers.get(releaseHeader)).toBe(null);
});

test('a server starts and serves its own release while the storage fails', async ({
  stack,
  folders,
  onTestFinished,
}) => {
  const missing = await temporaryFolder(stack, onTestFinished);
  await rm(missing, { recursive: true });
  const { url } = await stack.startServer({ STORAGE_URL: `file://${missing}` }, folders[0]);
  expect((await fetch(`${url}/assets/part-1.js`)).status).toBe(200);
  expect((await fetch(`${url}/assets/part-2.js`)).status).toBe(503);
});
