import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { McpServer, ServerContext } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { hasEnded } from '#contract/generation-states.ts';
import { imageSizeNames, imageSizes } from '#contract/image-sizes.ts';
import { imageStyleNames } from '#contract/image-styles.ts';
import { limits } from '#contract/limits.ts';
import {
  batchSchema,
  type Files,
  type ToolAccount,
  type ToolBatch,
  type ToolBatchRequest,
} from './account.ts';
import { answer, changing, idSchema, imageSchema, imagesSchema, present, sayProgress } from './answers.ts';

/** Products of one call: its message has to stay small. */
const mostProducts = 100;
/** How long a call follows what it makes, in ms: clients wait for a minute unless told otherwise. The same call again goes on. */
const followMs = 50_000;
/** How often a batch is asked for, in ms. */
const askBatchMs = 2_000;

const imageCount = z.number().int().min(1).max(limits.imagesPerRequest).default(1);

/** What is said of each image that is to be made. */
const makingSchema = (files: Files) => {
  const places =
    files.on === 'disk'
      ? 'paths of files, or addresses that begin with https://'
      : 'public addresses that begin with https://';
  return {
    product: {
      photos: z.array(z.string()).min(1).max(limits.photos).describe(`photos of one product: ${places}`),
      scene: z.string().min(1).describe('what the image should show around the product'),
      productName: z.string().max(limits.productNameCharacters).optional(),
      images: imageCount,
    },
    options: {
      size: z.enum(imageSizeNames).default('square'),
      style: z.enum(imageStyleNames).optional(),
      maxImages: z
        .number()
        .int()
        .min(1)
        .describe('how many images the person agreed to; with more, nothing is made'),
      take: z
        .number()
        .int()
        .min(1)
        .default(1)
        .describe('2 for new images of the same arguments, then 3, and so on'),
    },
  };
};

/** The same for the same arguments: then nothing is made twice. */
const keyOf = (asked: unknown) =>
  `packshot-mcp-${createHash('sha256').update(JSON.stringify(asked)).digest('hex')}`;

/** Registers the tools that make images and stop them. */
export function registerMaking(server: McpServer, account: ToolAccount): void {
  const { files } = account;
  const { product, options } = makingSchema(files);
  server.registerTool(
    'make_images',
    {
      title: 'Make product images',
      description:
        'Makes images of a product and follows them for 50 seconds. USES ONE IMAGE OF THE PLAN FOR EACH that succeeds. maxImages is the number that the person agreed to. The same arguments give the same images again and use nothing; another take makes new ones. Making goes on when the call ends: the same call goes on following, get_image tells of one image, and cancel_image stops one.',
      inputSchema: z.object({ ...product, ...options }),
      outputSchema: imagesSchema,
      annotations: { ...changing, destructiveHint: false },
    },
    async ({ photos, scene, productName, images: numImages, size, style, maxImages, take }, context) => {
      const sent = files.on === 'disk' ? files.photosOf(photos) : photos;
      const fields = { prompt: scene, productName, numImages, ...imageSizes[size], style };
      let said = Promise.resolve();
      const images = await account.make(
        { photos: sent, ...fields, maxImages },
        keyOf([sent, fields, take]),
        (newest) => {
          const ended = newest.filter(({ state }) => hasEnded(state)).length;
          said = said.then(() => sayProgress(context, ended, newest.length));
        },
        AbortSignal.any([context.mcpReq.signal, AbortSignal.timeout(followMs)]),
      );
      // What comes after the answer is not heard.
      await said;
      return answer({ images: images.map(present) });
    },
  );

  server.registerTool(
    'make_batch',
    {
      title: 'Make images of many products',
      description: `Makes images of up to ${mostProducts} products and follows them for 50 seconds. USES ONE IMAGE OF THE PLAN FOR EACH that succeeds. maxImages is the number that the person agreed to, for all products together. Making goes on when the call ends: the same arguments again say how far they are and use nothing; list_images has the finished ones.`,
      inputSchema: z.object({
        name: z.string().min(1).max(limits.projectNameCharacters).describe('name of the batch'),
        products: z
          .array(z.object({ ...product, sku: z.string().max(limits.skuCharacters).optional() }))
          .min(1)
          .max(mostProducts),
        ...options,
      }),
      outputSchema: batchSchema,
      annotations: { ...changing, destructiveHint: false },
    },
    async ({ name, products, size, style, maxImages, take }, context) => {
      const rows = products.map(({ photos, scene, images: numImages, ...row }) => {
        const sent = files.on === 'disk' ? files.photosOf(photos) : photos;
        return { ...row, photos: sent, prompt: scene, numImages, ...imageSizes[size], style };
      });
      const images = rows.reduce((sum, { numImages }) => sum + numImages, 0);
      if (images > maxImages) {
        throw new Error(
          `These products ask for ${images} images, and ${maxImages} were agreed to. Nothing was made.`,
        );
      }
      const batch = await runBatch(
        account,
        { name, rows },
        { key: keyOf([name, rows, take]), maxImages },
        context,
      );
      const { id, state, images: counts } = batch;
      return answer({ id, name: batch.name, state, images: counts });
    },
  );

  server.registerTool(
    'remake_image',
    {
      title: 'Make an image again at no charge',
      description:
        'Makes a finished image again whose product does not match the photos (match is low), once for each image. Uses nothing. To make any image again for one of the plan, call make_images with the next take.',
      inputSchema: idSchema,
      outputSchema: imageSchema,
      annotations: { ...changing, destructiveHint: false },
    },
    async ({ id }) => answer(present(await account.remake(id))),
  );

  server.registerTool(
    'cancel_image',
    {
      title: 'Stop an image',
      description:
        'Stops an image that has not ended, if that is free: after its first preview it goes on, and is counted.',
      inputSchema: idSchema,
      outputSchema: imageSchema,
      annotations: { ...changing, destructiveHint: true },
    },
    async ({ id }) => answer(present(await account.cancel(id))),
  );
}

/**
 * Makes a batch, or goes on with one, and follows it for a while. A call that is given up stops nothing: that its client waits no
 * longer looks the same as a person's wish.
 */
async function runBatch(
  { batches }: ToolAccount,
  request: ToolBatchRequest,
  { key, maxImages }: { key: string; maxImages: number },
  context: ServerContext,
): Promise<ToolBatch> {
  const { signal } = context.mcpReq;
  const created = await batches.create(request, key);
  let { batch } = created;
  const time = AbortSignal.timeout(followMs);
  if (batch.state === 'uploading') {
    await created.sendPhotos(signal);
    signal.throwIfAborted();
    batch = await batches.start(batch.id, maxImages);
  }
  for (; ; await wait(askBatchMs, undefined, { signal })) {
    const { total, waiting, underWay } = batch.images;
    await sayProgress(context, total - waiting - underWay, total);
    // A paused batch waits for a person.
    if (batch.state !== 'running' || time.aborted) return batch;
    batch = await batches.get(batch.id, signal);
  }
}
