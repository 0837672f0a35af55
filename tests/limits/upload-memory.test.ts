/** Memory that uploads take, measured on a server in its own process. Only on Linux. */
import sharp from 'sharp';
import { expect } from 'vitest';
import { limits } from '#contract';
import { expectError } from '#tests/support/errors.ts';
import { memoryOfTree } from '#tests/support/memory.ts';
import { blackPng, noise } from '#tests/support/odd-photos.ts';
import { samplePhoto } from '#tests/support/photos.ts';
import type { ProgramProcess } from '#tests/support/program.ts';
import type { Form, Seller } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithStack } from '#tests/support/test.ts';

const measurable = process.platform === 'linux';
const megabyte = 1024 * 1024;

const test = testWithStack({ workers: 0 });

/** A server that has answered one upload, so that modules are loaded. */
async function warmServer(stack: TestStack): Promise<{ server: ProgramProcess; seller: Seller }> {
  const server = await stack.startServerProcess();
  const seller = await stack.seller({ url: server.url! });
  await seller.submit({ photos: [await samplePhoto()] });
  return { server, seller };
}

/** The answer to a form, and the peak memory of the server and its decoder processes above the start, in bytes. */
async function costOf(server: ProgramProcess, seller: Seller, form: Form) {
  const before = await memoryOfTree(server.pid);
  const answer = await seller.send(form);
  const after = await memoryOfTree(server.pid);
  return { answer, bytes: after.peak - before.now };
}

/** Noise that almost fills a file of the size limit if it is stored with this many bytes per pixel. */
function noisy(bytesPerPixel: number) {
  const side = Math.floor(Math.sqrt((limits.photoBytes * 0.99) / bytesPerPixel));
  return sharp(noise(side, side, side), { raw: { width: side, height: side, channels: 3 } });
}
const lossless = { quality: 100, chromaSubsampling: '4:4:4' };

test.skipIf(!measurable)('four photos of 20 MB cost a server less than 170 MB', async ({ stack }) => {
  const photos = await Promise.all([
    noisy(4.12)
      .jpeg({ ...lossless, optimiseCoding: false })
      .toBuffer(),
    noisy(2.95)
      .jpeg({ ...lossless, progressive: true })
      .toBuffer(),
    noisy(3.01).png({ compressionLevel: 0 }).toBuffer(),
    noisy(3).tiff({ compression: 'none' }).toBuffer(),
  ]);
  for (const photo of photos) expect(photo.length).toBeGreaterThan(limits.photoBytes * 0.95);
  const { server, seller } = await warmServer(stack);
  const { answer, bytes } = await costOf(server, seller, { photos });
  expect(answer.status, JSON.stringify(answer.body)).toBe(202);
  expect(bytes / megabyte).toBeLessThan(170);
  console.log(`four photos of 20 MB: ${Math.round(bytes / megabyte)} MB`);
  await server.terminate();
});

test.skipIf(!measurable)(
  'a small file that decodes to 30,000 × 30,000 costs less than 100 MB',
  async ({ stack }) => {
    const { server, seller } = await warmServer(stack);
    for (const interlaced of [false, true]) {
      const bomb = blackPng(30_000, 30_000, interlaced);
      expect(bomb.length).toBeLessThan(megabyte);
      const { answer, bytes } = await costOf(server, seller, { photos: [bomb, bomb, bomb, bomb] });
      expectError(answer, 'TOO_MANY_PIXELS');
      expect(bytes / megabyte).toBeLessThan(100);
    }
    await server.terminate();
  },
);
