/** Memory that an export takes, measured on a server in its own process. Only on Linux. */
import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { paths } from '#contract';
import { newId } from '#shared/data/db.ts';
import { storageKeys } from '#shared/platform/storage.ts';
import { memoryOf } from '#tests/support/memory.ts';
import { createSeller, type Seller } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithStack } from '#tests/support/test.ts';

const megabyte = 1024 * 1024;
const generationCount = 200;
/** Size of a photo and of an image, of random bytes: like a PNG they do not compress. */
const fileBytes = megabyte / 8;

const test = testWithStack({ workers: 0 });

/** Adds finished generations of a seller, rows and files. */
async function addGenerations(stack: TestStack, seller: Seller, count: number): Promise<void> {
  const { storage } = stack.server.context;
  const now = new Date();
  const size = { width: 1, height: 1, bytes: fileBytes };
  for (let index = 0; index < count; index += 1) {
    const id = newId();
    const [photo, image] = [storageKeys.photo(id, 0), storageKeys.image(id, 1)];
    for (const key of [photo, image]) await storage.put(key, randomBytes(fileBytes));
    await stack.models.generations.create({
      _id: id,
      profile: seller.id,
      idempotency_key: id,
      fingerprint: id,
      prompt: 'On a table',
      count: 1,
      photos: [{ key: photo, ...size }],
      image: { key: image, ...size },
      state: 'succeeded',
      queued_at: now,
      created_at: now,
      ended_at: now,
    });
  }
}

/** Downloads an export and discards it. @returns its size in bytes */
async function downloadExport(url: string, seller: Seller): Promise<number> {
  const reply = await fetch(url + paths.export, { headers: { authorization: `Bearer ${seller.token}` } });
  expect(reply.status).toBe(200);
  let bytes = 0;
  for await (const chunk of reply.body!) bytes += chunk.length;
  return bytes;
}

test.skipIf(process.platform !== 'linux')(
  'an export of 200 or 600 images takes less than 100 MB of memory',
  async ({ stack }) => {
    const server = await stack.startServerProcess();
    const seller = await createSeller({ url: server.url!, db: stack.db });
    await addGenerations(stack, seller, 3);
    // The first export loads modules, which stay in memory.
    await downloadExport(server.url!, seller);
    const { now } = await memoryOf(server.pid);
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
