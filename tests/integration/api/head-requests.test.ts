/** HEAD requests: Fastify answers them by the handler of GET, so none may make an image or read a file. */

import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { expect } from 'vitest';
import {
  operatorPaths,
  paths,
  trashedPicture,
  usagePaths,
  v1BatchPaths,
  v1EventsPath,
  v1ExportPaths,
  v1Paths,
} from '#contract';
import { batchPaths } from '#contract/batch-paths.ts';
import { buildApp } from '#server/app.ts';
import type { Decoder } from '#server/decoder/decoder.ts';
import type { Storage } from '#shared/storage/storage.ts';
import { postBatch, sampleRows } from '#tests/support/batches.ts';
import { insertImage } from '#tests/support/finished-images.ts';
import { operatorOf } from '#tests/support/operator.ts';
import { routesOf } from '#tests/support/routes.ts';
import { writeSmallSite } from '#tests/support/small-site.ts';
import { testWithStack } from '#tests/support/test.ts';

/** Routes whose replies are made or read while they are sent. A new one belongs here, or its HEAD must cost nothing. */
const withoutHead = [
  paths.export,
  paths.exports,
  paths.exportFile,
  paths.exportChecks,
  batchPaths.batchArchive(':id'),
  batchPaths.batchReport(':id'),
  batchPaths.batchProducts(':id'),
  paths.generationImage(':id', ':name'),
  paths.lookPicture(':id'),
  trashedPicture(':id'),
  operatorPaths.image(':id', ':name'),
  operatorPaths.sellerExport(':id'),
  usagePaths.csv,
  // The first may wait until the image has ended.
  v1Paths.generation(':id'),
  v1Paths.image(':id'),
  v1ExportPaths.file(':id', ':preset'),
  v1ExportPaths.check(':id', ':preset'),
  v1ExportPaths.zip,
  v1BatchPaths.report(':id'),
  v1BatchPaths.export(':id'),
  v1BatchPaths.products(':id'),
  // It has no end.
  v1EventsPath,
];

/** Everything that was read or made: names of decoder jobs, and keys. */
type Work = string[];

function watched(
  { decoder, storage }: { decoder: Decoder; storage: Storage },
  work: Work,
  streams: Readable[],
) {
  const record =
    <Given extends unknown[], Result>(name: string, method: (...given: Given) => Result) =>
    (...given: Given): Result => {
      work.push(name);
      return method(...given);
    };
  return {
    decoder: {
      ...decoder,
      thumbnail: record('thumbnail', decoder.thumbnail),
      edit: record('edit', decoder.edit),
      export: record('export', decoder.export),
    },
    storage: {
      ...storage,
      get(key: string) {
        // The list of releases, which a server reads every few seconds at most.
        if (!key.startsWith('releases/')) work.push(`get ${key}`);
        return storage.get(key);
      },
      withFile: record('withFile', storage.withFile),
      async open(...given: Parameters<Storage['open']>) {
        const file = await storage.open(...given);
        if (file) streams.push(file.stream);
        return file;
      },
    },
  };
}

const test = testWithStack({ workers: 0 })
  .extend('owner', { scope: 'file' }, async ({ stack }) => {
    const seller = await stack.seller();
    const image = await insertImage(stack, seller);
    const edits = await seller.request(paths.edits(image._id), {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ recipe: { rotate: 90 }, basedOn: null }),
    });
    expect(edits.status).toBe(200);
    const batch = await postBatch(seller, { rows: await sampleRows(1) });
    const look = await seller.request<{ id: string }>(paths.looks, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Oak', scene: 'On oak', pictureOf: image._id }),
    });
    expect([batch.status, look.status]).toEqual([201, 201]);
    return { seller, ids: [image._id, batch.body.id, look.body.id] };
  })
  .extend('watchedApp', { scope: 'file' }, async ({ stack }, { onCleanup }) => {
    const { context } = stack.server;
    const folder = await mkdtemp(`${stack.storageFolder}-`);
    const [ours, other] = [join(folder, 'ours'), join(folder, 'other')];
    await writeSmallSite(ours, { 'own.js': '1' });
    // Of the release of another server.
    await writeSmallSite(other, { 'other.js': '2' });
    await stack.startServer({}, other);
    const work: Work = [];
    const streams: Readable[] = [];
    const app = await buildApp({ ...context, ...watched(context, work, streams) }, { site: ours });
    onCleanup(async () => {
      await app.close();
      await rm(folder, { recursive: true });
    });
    await app.ready();
    return { app, work, streams };
  });

test('each file that is made or read while it is sent has no HEAD route, and no other route lacks one', async ({
  watchedApp: { app },
}) => {
  const lacking = routesOf(app).filter(({ methods }) => methods.includes('GET') && !methods.includes('HEAD'));
  expect(lacking.map(({ path }) => path).sort()).toEqual([...withoutHead].sort());
});

test('no HEAD request makes an image, or reads a file of the storage', async ({
  stack,
  owner: { seller, ids },
  watchedApp: { app, work, streams },
}) => {
  const operator = await operatorOf(stack);
  const query = `?${new URLSearchParams({ images: ids[0]!, presets: 'ebay,original', pattern: '{sku}' })}`;
  const routes = routesOf(app).filter(({ methods }) => methods.includes('GET'));
  expect(routes.length).toBeGreaterThan(40);
  work.length = 0;
  for (const { path } of routes) {
    for (const id of path.includes(':id') ? ids : ['']) {
      for (const name of path.includes(':name')
        ? ['image', 'image-thumbnail', 'photo-0', 'photo-0-thumbnail', 'edited-1', 'other.js']
        : ['']) {
        for (const { token } of [seller, operator]) {
          const reply = await app.inject({
            method: 'HEAD',
            url:
              path.replace(':id', id).replace(':name', name).replace(':preset', 'ebay').replace('*', 'x') +
              query,
            headers: { authorization: `Bearer ${token}` },
          });
          expect(work, `HEAD ${path} ${name}`).toEqual([]);
          if (withoutHead.includes(path)) expect([path, reply.statusCode]).toEqual([path, 404]);
        }
      }
    }
  }
  // Only the asset of the other release was found, and not read.
  expect(streams.map(({ readableDidRead, destroyed }) => [readableDidRead, destroyed])).toEqual([
    [false, true],
    [false, true],
  ]);
});

test('HEAD on an export has the error shape of everything that does not exist', async ({
  stack,
  owner: { seller, ids },
}) => {
  const reply = await fetch(`${stack.url}${paths.exports}?images=${ids[0]}&presets=ebay`, {
    method: 'HEAD',
    headers: { authorization: `Bearer ${seller.token}` },
  });
  expect(reply.status).toBe(404);
  expect(reply.headers.get('content-type')).toContain('application/json');
  expect(reply.headers.get('x-request-id')).not.toBeNull();
});
