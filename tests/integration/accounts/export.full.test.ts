/** Exports that end early, and an edited image that cannot be rendered. */
import { writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { join } from 'node:path';
import { strFromU8 } from 'fflate';
import { expect } from 'vitest';
import { identityRecipe, paths } from '#contract';
import { askForExport, call } from '#tests/support/account.ts';
import { download, makeGeneration, test } from './export-steps.ts';

test('an edited image that cannot be rendered is listed in missing.txt', async ({ stack }) => {
  const seller = await stack.seller();
  const id = await makeGeneration(stack, seller);
  const recipe = { ...identityRecipe, rotate: 90 };
  await call(seller, 'PUT', paths.edits(id), { recipe, basedOn: null });
  const row = (await stack.models.generations.findById(id).lean())!;
  await writeFile(join(stack.storageFolder, row.image!.key), 'not an image');
  const { files } = await download(stack, seller);
  expect(strFromU8(files['missing.txt']!)).toMatch(/image-edited\.png/);
});

test('an export stops when the client disconnects, and all its files are closed', async ({ stack }) => {
  const seller = await stack.seller();
  const id = await makeGeneration(stack, seller);
  const row = (await stack.models.generations.findById(id).lean())!;
  const { storage } = stack.server.context;
  // Many copies of one image: more than the buffers of sockets and streams can hold.
  const rows = Array.from({ length: 60 }, (_, index) => ({
    ...row,
    _id: `${id.slice(0, 20)}${String(index).padStart(4, '0')}`,
    idempotency_key: `copy-${index}`,
  }));
  await stack.models.generations.insertMany(rows);
  const opened: { destroyed: boolean }[] = [];
  const open = storage.open;
  storage.open = async (key) => {
    const file = await open(key);
    if (file) opened.push(file.stream);
    return file;
  };
  try {
    const path = await askForExport(seller);
    await new Promise<void>((resolve, reject) => {
      const request = get(
        stack.url + path,
        { headers: { authorization: `Bearer ${seller.token}` } },
        (reply) => {
          let bytes = 0;
          reply.on('data', (chunk: Buffer) => {
            bytes += chunk.length;
            if (bytes < 2 * row.image!.bytes) return;
            request.destroy();
            resolve();
          });
        },
      );
      request.once('error', reject);
    });
    await expect.poll(() => opened.filter(({ destroyed }) => !destroyed).length).toBe(0);
    expect(opened.length).toBeGreaterThan(1);
    // Files that the client had not reached were not opened.
    expect(opened.length).toBeLessThan(30);
  } finally {
    storage.open = open;
    await stack.models.generations.deleteMany({ idempotency_key: /^copy-/ });
  }
});
