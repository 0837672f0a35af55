import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { hasEnded, visibleStates } from '#contract/generation-states.ts';
import { imageSizeNames, imageSizes } from '#contract/image-sizes.ts';
import { imageStyleNames } from '#contract/image-styles.ts';
import { limits } from '#contract/limits.ts';
import { readCommandLine } from '#scripts/command-line.ts';
import { answerOf, type Generation, type Packshot } from '../client.ts';
import type { CommandContext } from '../context.ts';
import { exitCodes } from '../exit-codes.ts';
import {
  cancelImages,
  checkPresets,
  followImages,
  imagesLeft,
  requestImages,
  saveExport,
  saveImage,
} from '../images.ts';
import { describe } from '../progress.ts';
import { checkPhotos } from './generate.ts';

const about = [
  'Makes studio product images from photos of a product, on the account of an API key.',
  'Each image uses one of the plan. Say to the person what make_images would use (estimate_images), and pass the number that',
  'they agreed to as maxImages: past it nothing is made. Failed images are not counted.',
].join(' ');

/** An image as tools answer with it. */
const imageSchema = {
  id: z.string(),
  productName: z.string(),
  prompt: z.string(),
  state: z.enum(visibleStates),
  width: z.number().nullable(),
  height: z.number().nullable(),
  match: z
    .enum(['high', 'medium', 'low', 'unknown'])
    .nullable()
    .describe('how surely it shows the product of the photos'),
  failure: z.string().nullable(),
  imageUsed: z.boolean().describe('whether it has used an image of the plan'),
};
const balanceSchema = {
  plan: z.string(),
  left: z.number().describe('images that can be asked for now'),
  onHold: z.number().describe('images being made'),
  leftToday: z.number().nullable(),
  renewsAt: z.string().nullable(),
};

const requestSchema = {
  photos: z
    .array(z.string())
    .min(1)
    .max(limits.photos)
    .describe('photos of one product: paths of files, or addresses that begin with https://'),
  scene: z.string().min(1).describe('what the image should show around the product'),
  productName: z.string().max(limits.productNameCharacters).optional(),
  images: z.number().int().min(1).max(limits.imagesPerRequest).default(1),
  size: z.enum(imageSizeNames).default('square'),
  style: z.enum(imageStyleNames).optional(),
};

const readOnly = { readOnlyHint: true, idempotentHint: true, openWorldHint: true };
const idSchema = { id: z.string().describe('id of an image') };

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** `packshot mcp`: the API as tools of an assistant, over standard input and output. */
export async function mcp({ words, folder, connect, signal }: CommandContext): Promise<number> {
  readCommandLine(
    'packshot',
    {
      typed: 'packshot mcp',
      about: 'Serves the API to an assistant by the Model Context Protocol, over standard input and output.',
    },
    words,
  );
  const server = createServer(await connect(), folder);
  const closed = new Promise<void>((done) => {
    server.server.onclose = done;
  });
  await server.connect(new StdioServerTransport());
  // Its calls under way are aborted, and cancel their images.
  const close = () => void server.close();
  signal.addEventListener('abort', close, { once: true });
  process.stdin.once('end', close);
  await closed;
  return exitCodes.done;
}

/** @param folder that paths are relative to */
function createServer(packshot: Packshot, folder: string): McpServer {
  const server = new McpServer({ name: 'packshot', version: '1.0.0' }, { instructions: about });
  const pathOf = (path: string) => resolve(folder, path.replace(/^~(?=\/|$)/, homedir()));

  server.registerTool(
    'get_balance',
    {
      title: 'Images left',
      description: 'How many images are left, of the plan, free ones and packs. Uses nothing.',
      outputSchema: balanceSchema,
      annotations: readOnly,
    },
    async ({ signal }) => {
      const { plan, left, onHold, leftToday, renewsAt } = await answerOf(
        () => packshot.GET('/api/v1/balance', { signal }),
        signal,
      );
      return answer({ plan, left, onHold, leftToday, renewsAt });
    },
  );

  server.registerTool(
    'estimate_images',
    {
      title: 'What images would use',
      description:
        'How many images of the plan make_images would use, and how many are left. Uses and makes nothing.',
      inputSchema: { images: requestSchema.images },
      outputSchema: { uses: z.number(), left: z.number(), fits: z.boolean() },
      annotations: readOnly,
    },
    async ({ images }, { signal }) => {
      const most = await imagesLeft(packshot, signal);
      return answer({ uses: images, left: most, fits: images <= most });
    },
  );

  server.registerTool(
    'make_images',
    {
      title: 'Make product images',
      description:
        'Makes images of a product and waits for them, 10 to 120 seconds. USES ONE IMAGE OF THE PLAN FOR EACH that succeeds. maxImages is the number that the person agreed to. The same arguments give the same images again and use nothing; another take makes new ones.',
      inputSchema: {
        ...requestSchema,
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
      outputSchema: { images: z.array(z.object(imageSchema)) },
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
    },
    async ({ photos, scene, productName, images: numImages, size, style, maxImages, take }, extra) => {
      const files = checkPhotos(photos, folder);
      const fields = { prompt: scene, productName, numImages, ...imageSizes[size], style };
      const key = createHash('sha256')
        .update(JSON.stringify([files, fields, take]))
        .digest('hex');
      let images: readonly Generation[] = [];
      let said = Promise.resolve();
      try {
        images = await requestImages(
          packshot,
          { photos: files, ...fields, maxImages },
          `packshot-mcp-${key}`,
        );
        extra.signal.throwIfAborted();
        images = await followImages(
          packshot,
          images,
          (newest) => {
            images = newest;
            said = said.then(() => sayProgress(extra, newest));
          },
          extra.signal,
        );
      } catch (error) {
        if (extra.signal.aborted) await cancelImages(packshot, images);
        throw error;
      }
      // What comes after the answer is not heard.
      await said;
      return answer({ images: images.map(present) });
    },
  );

  server.registerTool(
    'get_image',
    {
      title: 'An image, or how far it is',
      description: 'State of an image. Uses nothing.',
      inputSchema: idSchema,
      outputSchema: imageSchema,
      annotations: readOnly,
    },
    async ({ id }, { signal }) =>
      answer(
        present(
          await answerOf(
            () => packshot.GET('/api/v1/generations/{id}', { params: { path: { id } }, signal }),
            signal,
          ),
        ),
      ),
  );

  server.registerTool(
    'list_images',
    {
      title: 'Newest images',
      description: 'The newest images of the account. Uses nothing.',
      inputSchema: { limit: z.number().int().min(1).max(100).default(20) },
      outputSchema: { images: z.array(z.object(imageSchema)) },
      annotations: readOnly,
    },
    async ({ limit }, { signal }) => {
      const { generations } = await answerOf(
        () => packshot.GET('/api/v1/generations', { params: { query: { limit } }, signal }),
        signal,
      );
      return answer({ images: generations.map(present) });
    },
  );

  server.registerTool(
    'save_image',
    {
      title: 'Write an image to a file',
      description: 'Writes the PNG of a finished image to a file, and replaces what is there. Uses nothing.',
      inputSchema: { ...idSchema, file: z.string().describe('path of the file') },
      outputSchema: { file: z.string() },
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
    },
    async ({ id, file }) => {
      const path = pathOf(file);
      await saveImage(packshot, id, path);
      return answer({ file: path });
    },
  );

  server.registerTool(
    'export_image',
    {
      title: 'Write an image for a marketplace',
      description:
        'Writes a finished image as a marketplace wants it, beside a file: its preset and ending are added to the name. Says which rules of the marketplace it does not obey. Uses nothing.',
      inputSchema: {
        ...idSchema,
        preset: z.string().describe('for example amazon-main, ebay, etsy, shopify; an unknown one lists all'),
        file: z.string().describe('path of the image; the folder must exist'),
      },
      outputSchema: { file: z.string(), preset: z.string(), failedRules: z.array(z.string()) },
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
    },
    async ({ id, preset, file }) => {
      await checkPresets(packshot, [preset]);
      return answer({ ...(await saveExport(packshot, id, preset, pathOf(file))) });
    },
  );

  server.registerTool(
    'cancel_image',
    {
      title: 'Stop an image',
      description:
        'Stops an image that has not ended, if that is free: after its first preview it goes on, and is counted.',
      inputSchema: idSchema,
      outputSchema: imageSchema,
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
    },
    async ({ id }) =>
      answer(
        present(
          await answerOf(() =>
            packshot.POST('/api/v1/generations/{id}/cancel', {
              params: { path: { id } },
              body: { useImage: false },
            }),
          ),
        ),
      ),
  );
  return server;
}

/** As structured data, and as text for clients without it. */
function answer<Data extends Record<string, unknown>>(structuredContent: Data) {
  return {
    content: [{ type: 'text' as const, text: JSON.stringify(structuredContent) }],
    structuredContent,
  };
}

function present({ id, productName, prompt, state, image, match, failure, imageUsed }: Generation) {
  return {
    id,
    productName,
    prompt,
    state,
    width: image?.width ?? null,
    height: image?.height ?? null,
    match,
    failure: failure?.message ?? null,
    imageUsed,
  };
}

/** For clients that asked for it. */
async function sayProgress({ _meta, sendNotification }: Extra, images: readonly Generation[]): Promise<void> {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return;
  const progress = images.filter(({ state }) => hasEnded(state)).length;
  const params = { progressToken, progress, total: images.length, message: describe(images) };
  await sendNotification({ method: 'notifications/progress', params }).catch(() => {});
}
