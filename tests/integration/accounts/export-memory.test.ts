/** The memory that an export takes, measured in a server process. Only Linux reports it. */
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
const generations = 200;
/** Size of a photo and of an image, of random bytes: like a PNG they do not compress. */
const fileBytes = megabyte / 8;

const test = testWithStack({ workers: 0 });

/** Gives a seller finished generations, as rows and files. */
async function fill(stack: TestStack, seller: Seller, count: number): Promise<void> {
  const { storage } = stack.server.context;
  const now = new Date();
  const size = { width: 1, height: 1, bytes: fileBytes };
  for (let made = 0; made < count; made += 1) {
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

/** Reads an export to its end and keeps none of it. @returns its bytes */
async function exported(url: string, seller: Seller): Promise<number> {
  const reply = await fetch(url + paths.export, { headers: { authorization: `Bearer ${seller.token}` } });
  expect(reply.status).toBe(200);
  let bytes = 0;
  for await (const chunk of reply.body!) bytes += chunk.length;
  return bytes;
}

test.skipIf(process.platform !== 'linux')(
  'an export of 200 images and more costs a server less than 100 MB, however many there are',
  async ({ stack }) => {
    const server = await stack.startServerProcess();
    const seller = await createSeller({ url: server.url!, db: stack.db });
    await fill(stack, seller, 3);
    // What it loads once is loaded.
    await exported(server.url!, seller);
    const { now } = await memoryOf(server.pid);
    const costs: number[] = [];
    for (const more of [generations, 2 * generations]) {
      await fill(stack, seller, more);
      const began = performance.now();
      const bytes = await exported(server.url!, seller);
      const seconds = (performance.now() - began) / 1_000;
      expect(bytes).toBeGreaterThan(more * 2 * fileBytes);
      const cost = ((await memoryOf(server.pid)).peak - now) / megabyte;
      console.log(
        `an export of ${Math.round(bytes / megabyte)} MB: ${Math.round(cost)} MB, ${seconds.toFixed(1)} s`,
      );
      costs.push(cost);
    }
    const [first, second] = costs as [number, number];
    expect(second).toBeLessThan(100);
    expect(second - first, 'three times the images, and about the same memory').toBeLessThan(25);
    await server.terminate();
  },
);
