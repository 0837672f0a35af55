/** Memory that an export takes, measured on a server in its own process. Only on Linux. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { expect } from 'vitest';
import { newId } from '#shared/data/db.ts';
import { storageKeys } from '#shared/storage/storage.ts';
import { askForExport } from '#tests/support/account.ts';
import { memoryOf } from '#tests/support/memory.ts';
import { rowDefaults } from '#tests/support/sample-rows.ts';
import type { Seller } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithStack } from '#tests/support/test.ts';

const megabyte = 1024 * 1024;
const generationCount = 200;
/** Size of a photo and of an image. */
const fileBytes = megabyte / 16;

const test = testWithStack({ workers: 0 });

/** Adds finished generations of a seller, rows and files. */
async function addGenerations(
  stack: TestStack,
  seller: Seller,
  count: number,
  bytes = fileBytes,
): Promise<void> {
  const { storage } = stack.server.context;
  const now = new Date();
  const size = { width: 1, height: 1, bytes };
  // Random bytes: like a PNG they do not compress.
  const file = randomBytes(bytes);
  const rows = Array.from({ length: count }, () => {
    const id = newId();
    return {
      ...rowDefaults(id),
      profile: seller.id,
      photos: [{ key: storageKeys.photo(id, 0, 'png'), ...size, warnings: [] }],
      image: { key: storageKeys.image(id, 1), ...size, sha256: 'hash' },
      state: 'succeeded' as const,
      queued_at: now,
      created_at: now,
      ended_at: now,
    };
  });
  for (const { photos, image } of rows) {
    for (const { key } of [...photos, image]) await storage.put(key, file);
  }
  await stack.models.generations.insertMany(rows);
}

/** Downloads an export and discards it. @returns its size in bytes */
async function downloadExport(url: string, seller: Seller): Promise<number> {
  // Not with `fetch`, whose streams take three times as much processor time.
  const path = await askForExport(seller);
  const request = httpRequest(url + path, { headers: { authorization: `Bearer ${seller.token}` } });
  request.end();
  const [reply] = (await once(request, 'response')) as [IncomingMessage];
  expect(reply.statusCode).toBe(200);
  let bytes = 0;
  for await (const chunk of reply) bytes += chunk.length;
  return bytes;
}

test.skipIf(process.platform !== 'linux')(
  'an export of 200 or 600 images takes less than 100 MB of memory',
  async ({ stack }) => {
    const server = await stack.startServerProcess();
    const [seller, another] = [
      await stack.seller({ url: server.url! }),
      await stack.seller({ url: server.url! }),
    ];
    await addGenerations(stack, seller, 3);
    // The first export loads modules, which stay in memory.
    await downloadExport(server.url!, seller);
    const { now } = await memoryOf(server.pid);
    // The heap grows during the first hundred megabytes, even of small exports. Few files take the least CPU time.
    await addGenerations(stack, another, 25, megabyte);
    for (let count = 0; count < 2; count += 1) await downloadExport(server.url!, another);
    const costs: number[] = [];
    for (const added of [generationCount, 2 * generationCount]) {
      await addGenerations(stack, seller, added);
      const startedAt = performance.now();
      const bytes = await downloadExport(server.url!, seller);
      const seconds = (performance.now() - startedAt) / 1_000;
      expect(bytes).toBeGreaterThan(added * 2 * fileBytes);
      const cost = ((await memoryOf(server.pid)).peak - now) / megabyte;
      console.log(
        `an export of ${Math.round(bytes / megabyte)} MB: ${Math.round(cost)} MB, ${seconds.toFixed(1)} s`,
      );
      costs.push(cost);
    }
    const [first, second] = costs as [number, number];
    expect(second).toBeLessThan(100);
    expect(second - first, 'additional memory for three times as many images').toBeLessThan(25);
    await server.terminate();
  },
);
