/** Every file of an image that leaves Packshot says how the image was made, as ExifTool reads it. */
import { unzipSync } from 'fflate';
import { expect, onTestFinished } from 'vitest';
import {
  exportFormats,
  exportQuerySchema,
  type GenerationView,
  identityRecipe,
  type LookView,
  paths,
  v1BatchPaths,
  v1ExportPaths,
  v1Paths,
} from '#contract';
import { batchPaths } from '#contract/batch-paths.ts';
import { operatorPaths } from '#contract/operator-paths.ts';
import { createDecoder } from '#server/decoder/decoder.ts';
import { exportFilesOf, renderExport } from '#server/images/export-files.ts';
import { findGeneration } from '#shared/data/generations/find.ts';
import { openCredentials } from '#shared/images/credentials.ts';
import { storageKeys } from '#shared/storage/storage.ts';
import { askForExport, call } from '#tests/support/account.ts';
import { giveKey } from '#tests/support/api-keys.ts';
import { readBatch, sampleRows, startedBatch } from '#tests/support/batches.ts';
import { certificateOf, validityOf } from '#tests/support/content-credentials.ts';
import { fetchExport, tagsOf } from '#tests/support/export-pictures.ts';
import { makeImage } from '#tests/support/finished-images.ts';
import { eventually } from '#tests/support/harness.ts';
import { operatorOf } from '#tests/support/operator.ts';
import type { Seller } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithSeller } from '#tests/support/test.ts';

const test = testWithSeller({ workers: 0 }, { plan: 'enterprise' });

/** An edited image of a batch. */
interface Made {
  stack: TestStack;
  seller: Seller;
  batch: string;
  image: GenerationView;
}

/** Fetches a file, or all images of a ZIP. Photos are not made by us, and are left out. */
async function filesAt(
  { fetch }: Pick<Seller, 'fetch'>,
  path: string,
): Promise<[name: string, file: Uint8Array][]> {
  const reply = await fetch(path);
  expect(reply.status, path).toBe(200);
  const file = new Uint8Array(await reply.arrayBuffer());
  if (reply.headers.get('content-type') !== 'application/zip') return [[path, file]];
  return Object.entries(unzipSync(file)).filter(
    ([name]) => /\.(png|jpe?g|webp|avif)$/.test(name) && !name.startsWith('photos/'),
  );
}

/** Requests as a program of the seller sends them. */
async function withKey(stack: TestStack, seller: Seller): Promise<Pick<Seller, 'fetch'>> {
  const headers = { authorization: `Bearer ${await giveKey(stack, seller)}` };
  return { fetch: (path) => fetch(stack.url + path, { headers }) };
}

/** What each operation of the API that answers with an image or a ZIP gives, by its id. */
const ways: Record<string, (made: Made) => Promise<[string, Uint8Array][]>> = {
  downloadImage: async ({ seller, image }) => {
    const files = [image.image!, image.edits!].flatMap(({ url, downloadUrl, thumbnailUrl }) => [
      url,
      downloadUrl,
      thumbnailUrl,
    ]);
    return (await Promise.all(files.map((path) => filesAt(seller, path)))).flat();
  },
  downloadExports: async ({ seller, image }) => {
    const of = (query: Record<string, string>) =>
      filesAt(seller, `${paths.exports}?${new URLSearchParams({ images: image.id, ...query })}`);
    const formats = exportFormats.map((format) => of({ presets: 'original', format }));
    return (await Promise.all([...formats, of({ presets: 'ebay,temu' })])).flat();
  },
  makeExport: async ({ seller, image }) => {
    const { file } = await fetchExport(seller, { images: image.id, presets: 'ebay' });
    return [['ebay', file]];
  },
  downloadBatchArchive: async ({ seller, batch }) => [
    ...(await filesAt(seller, batchPaths.batchArchive(batch))),
    ...(await filesAt(seller, `${batchPaths.batchArchive(batch)}?presets=ebay,etsy`)),
  ],
  downloadLookPicture: async ({ seller, image }) => {
    const look = { name: 'Oak', scene: 'On oak', pictureOf: image.id };
    const { body } = await call<LookView>(seller, 'POST', paths.looks, look);
    return filesAt(seller, body.pictureUrl!);
  },
  downloadDataExport: async ({ seller }) => {
    const files = await filesAt(seller, await askForExport(seller));
    expect(files.map(([name]) => name.split('/').at(-1)).sort()).toEqual([
      expect.stringMatching(/\.webp$/),
      'image-edited.png',
      'image.png',
    ]);
    return files;
  },
  downloadPhoto: async ({ stack, image }) => {
    const operator = await operatorOf(stack);
    const reason = 'A test';
    await call(operator, 'POST', operatorPaths.photos(image.id), { reason });
    return filesAt(operator, operatorPaths.image(image.id, 'image'));
  },
  downloadSellerExport: async ({ stack, seller }) => {
    const path = operatorPaths.sellerExport(seller.id);
    const operator = await operatorOf(stack);
    const { body } = await call<{ url: string }>(operator, 'POST', path, { reason: 'A test' });
    return filesAt(operator, body.url);
  },
  'generations.image': async ({ stack, seller, image }) => {
    return filesAt(await withKey(stack, seller), v1Paths.image(image.id));
  },
  'exports.get': async ({ stack, seller, image }) => {
    return filesAt(await withKey(stack, seller), v1ExportPaths.file(image.id, 'ebay'));
  },
  'exports.zip': async ({ stack, seller, image }) => {
    const query = new URLSearchParams({ generations: image.id, presets: 'ebay,temu' });
    return filesAt(await withKey(stack, seller), `${v1ExportPaths.zip}?${query}`);
  },
  'batches.export': async ({ stack, seller, batch }) => {
    const program = await withKey(stack, seller);
    return [
      ...(await filesAt(program, v1BatchPaths.export(batch))),
      ...(await filesAt(program, `${v1BatchPaths.export(batch)}?presets=ebay`)),
    ];
  },
  // The last one, because it deletes the image.
  downloadTrashedPicture: async ({ seller, image }) => {
    await seller.request(paths.generation(image.id), { method: 'DELETE' });
    const { body } = await seller.request<{ images: { pictureUrl: string }[] }>(paths.trash);
    return filesAt(seller, body.images[0]!.pictureUrl);
  },
};
/** A photo at an address that the seller gives. */
const notOurs = ['fetchPhoto'];

test('the list has every operation that answers with an image or a ZIP', async ({ stack }) => {
  const document = (await (await fetch(`${stack.url + paths.docs}/json`)).json()) as {
    paths: Record<string, Record<string, { operationId: string; responses: Record<string, unknown> }>>;
  };
  const found = Object.values(document.paths)
    .flatMap((operations) => Object.values(operations))
    .filter(({ responses }) => {
      const { content = {} } = (responses['200'] ?? {}) as { content?: object };
      const isFile = (type: string) =>
        type.startsWith('image/') || ['application/zip', 'multipart/form-data'].includes(type);
      return Object.keys(content).some(isFile);
    });
  expect(found.map(({ operationId }) => operationId).sort()).toEqual(
    [...Object.keys(ways), ...notOurs].sort(),
  );
});

test.for([
  ['openai', 'trainedAlgorithmicMedia'],
  ['local', 'composite'],
] as const)('each file of an image by %s says %s', async ([provider, type], { stack, seller }) => {
  const worker = await stack.startWorker({ IMAGE_PROVIDER: provider });
  const batch = await startedBatch(seller, await sampleRows(1));
  await expect.poll(async () => (await readBatch(seller, batch)).state, eventually).toBe('ended');
  await worker.close();
  const { items } = await readBatch(seller, batch);
  const id = items[0]!.images[0]!.generationId!;
  const recipe = { ...identityRecipe, rotate: 90 };
  const { body: image } = await call<GenerationView>(seller, 'PUT', paths.edits(id), {
    recipe,
    basedOn: null,
  });
  for (const [way, files] of Object.entries(ways)) {
    const got = await files({ stack, seller, batch, image });
    expect(got.length, way).toBeGreaterThan(0);
    const tags = await tagsOf(got.map(([, file]) => file));
    for (const [index, [name]] of got.entries()) {
      expect(tags[index]!['XMP-iptcExt:DigitalSourceType'], `${way}: ${name}`).toBe(
        `http://cv.iptc.org/newscodes/digitalsourcetype/${type}`,
      );
      expect(tags[index], `${way}: ${name}`).not.toHaveProperty('ExifTool:Warning');
    }
  }
  expect(await stack.audit()).toEqual([]);
});

test('with a certificate, images, edited images and exports are signed', async ({ stack, seller }) => {
  const contentCredentials = await certificateOf();
  const settings = {
    C2PA_CERTIFICATE: contentCredentials.certificate,
    C2PA_PRIVATE_KEY: contentCredentials.privateKey,
  };
  const worker = await stack.startWorker(settings);
  const { id } = await makeImage(seller);
  await worker.close();
  const { context } = stack.server;
  const decoder = createDecoder(context.log, {
    folder: stack.storageFolder,
    credentials: await openCredentials({ contentCredentials }, context.log),
  });
  onTestFinished(() => decoder.close());
  const edits = { recipe: { ...identityRecipe, rotate: 90 }, basedOn: null };
  expect((await call(seller, 'PUT', paths.edits(id), edits)).status).toBe(200);
  const row = (await findGeneration(context.db, seller.id, id))!;
  const files = exportQuerySchema.parse({ images: id, presets: 'original,ebay', format: 'png' });
  const signed = [(await context.storage.get(row.image!.key))!];
  for (const file of await exportFilesOf(context, seller.id, files)) {
    const made = await renderExport({ ...context, decoder }, file, new AbortController().signal);
    expect(made.check.bytes).toBe(made.file.byteLength);
    signed.push(Buffer.from(made.file));
  }
  signed.push((await context.storage.get(storageKeys.edited(id, row.edits!.version)))!);
  expect(signed).toHaveLength(4);
  for (const file of signed) expect(await validityOf(file)).toMatchObject({ isValid: true });
  expect(await stack.audit()).toEqual([]);
});
