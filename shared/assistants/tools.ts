import { createHash } from 'node:crypto';
import { McpServer, type ServerContext } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { hasEnded, visibleStates } from '#contract/generation-states.ts';
import { imageSizeNames, imageSizes } from '#contract/image-sizes.ts';
import { imageStyleNames } from '#contract/image-styles.ts';
import { limits } from '#contract/limits.ts';

/*
 * The API as tools of an assistant, by the Model Context Protocol. The command `packshot mcp` serves them over standard input and
 * output, and the server at `/api/v1/mcp` (docs/decisions/0141-usage-reference-and-assistants.md).
 */

/** An image, as much of it as the tools show. */
interface ToolImage {
  id: string;
  productName: string;
  prompt: string;
  state: (typeof visibleStates)[number];
  image: { width: number; height: number } | null;
  match: 'high' | 'medium' | 'low' | 'unknown' | null;
  failure: { message: string } | null;
  imageUsed: boolean;
}

/** How many images can be made. */
interface ToolBalance {
  plan: string;
  left: number;
  onHold: number;
  leftToday: number | null;
  renewsAt: string | null;
}

/** A request for images of one product. */
interface ToolRequest {
  /** As `Files.photosOf` gives them. */
  photos: readonly string[];
  prompt: string;
  productName?: string | undefined;
  numImages: number;
  width: number;
  height: number;
  style?: (typeof imageStyleNames)[number] | undefined;
  /** How many images a person agreed to. */
  maxImages: number;
}

/** A file that a tool answers with. */
export interface ToolFile {
  bytes: Uint8Array;
  mimeType: string;
}

/** Where photos come from, and where the files of images go. */
type Files =
  | {
      /** The disk of whoever runs the command. */
      on: 'disk';
      /** @returns the photos as they are sent. @throws when one is not there */
      photosOf(photos: readonly string[]): readonly string[];
      /** Writes the PNG of an image. @returns the path */
      save(id: string, file: string): Promise<string>;
      saveExport(
        id: string,
        preset: string,
        file: string,
      ): Promise<{ file: string; preset: string; failedRules: string[] }>;
    }
  | {
      /** Nowhere: photos are addresses, and files are in the answers. */
      on: 'wire';
      read(id: string): Promise<ToolFile>;
      readExport(id: string, preset: string): Promise<ToolFile & { failedRules: string[] }>;
    };

/** What the tools do on an account. Errors have messages for people. */
export interface ToolAccount {
  balance(signal: AbortSignal): Promise<ToolBalance>;
  /**
   * Asks for images, and follows them.
   * @param key the same one for the same request: then they are the same images, and nothing is used
   * @param show called with all of them when one has changed
   */
  make(
    request: ToolRequest,
    key: string,
    show: (images: readonly ToolImage[]) => void,
    signal: AbortSignal,
  ): Promise<readonly ToolImage[]>;
  get(id: string, signal: AbortSignal): Promise<ToolImage>;
  list(limit: number, signal: AbortSignal): Promise<readonly ToolImage[]>;
  /** Stops an image, if that is free. */
  cancel(id: string): Promise<ToolImage>;
  files: Files;
}

const about = [
  'Makes studio product images from photos of a product, on the account of an API key.',
  'Each image uses one of the plan. Say to the person what make_images would use (estimate_images), and pass the number that',
  'they agreed to as maxImages: past it nothing is made. Failed images are not counted.',
].join(' ');

const imageSchema = z.object({
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
});
const imagesSchema = z.object({ images: z.array(imageSchema) });
const balanceSchema = z.object({
  plan: z.string(),
  left: z.number().describe('images that can be asked for now'),
  onHold: z.number().describe('images being made'),
  leftToday: z.number().nullable(),
  renewsAt: z.string().nullable(),
});

const imageCount = z.number().int().min(1).max(limits.imagesPerRequest).default(1);

const readOnly = { readOnlyHint: true, idempotentHint: true, openWorldHint: true };
const changing = { readOnlyHint: false, idempotentHint: true, openWorldHint: true };
const idSchema = z.object({ id: z.string().describe('id of an image') });
const presetSchema = idSchema.extend({
  preset: z.string().describe('for example amazon-main, ebay, etsy, shopify; an unknown one lists all'),
});

/** A server of the protocol with the tools. */
export function createToolServer(account: ToolAccount): McpServer {
  const server = new McpServer({ name: 'packshot', version: '1.0.0' }, { instructions: about });
  registerReading(server, account);
  registerMaking(server, account);
  registerFiles(server, account.files);
  return server;
}

function registerReading(server: McpServer, account: ToolAccount): void {
  server.registerTool(
    'get_balance',
    {
      title: 'Images left',
      description: 'How many images are left, of the plan, free ones and packs. Uses nothing.',
      outputSchema: balanceSchema,
      annotations: readOnly,
    },
    async ({ mcpReq }) => {
      const { plan, left, onHold, leftToday, renewsAt } = await account.balance(mcpReq.signal);
      return answer({ plan, left, onHold, leftToday, renewsAt });
    },
  );

  server.registerTool(
    'estimate_images',
    {
      title: 'What images would use',
      description:
        'How many images of the plan make_images would use, and how many are left. Uses and makes nothing.',
      inputSchema: z.object({ images: imageCount }),
      outputSchema: z.object({ uses: z.number(), left: z.number(), fits: z.boolean() }),
      annotations: readOnly,
    },
    async ({ images }, { mcpReq }) => {
      const { left, leftToday } = await account.balance(mcpReq.signal);
      const most = Math.min(left, leftToday ?? left);
      return answer({ uses: images, left: most, fits: images <= most });
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
    async ({ id }, { mcpReq }) => answer(present(await account.get(id, mcpReq.signal))),
  );

  server.registerTool(
    'list_images',
    {
      title: 'Newest images',
      description: 'The newest images of the account. Uses nothing.',
      inputSchema: z.object({ limit: z.number().int().min(1).max(100).default(20) }),
      outputSchema: imagesSchema,
      annotations: readOnly,
    },
    async ({ limit }, { mcpReq }) =>
      answer({ images: (await account.list(limit, mcpReq.signal)).map(present) }),
  );
}

function registerMaking(server: McpServer, account: ToolAccount): void {
  const { files } = account;
  server.registerTool(
    'make_images',
    {
      title: 'Make product images',
      description:
        'Makes images of a product and waits for them, 10 to 120 seconds. USES ONE IMAGE OF THE PLAN FOR EACH that succeeds. maxImages is the number that the person agreed to. The same arguments give the same images again and use nothing; another take makes new ones. Images that are not ready yet can be asked for with get_image.',
      inputSchema: z.object({
        photos: z
          .array(z.string())
          .min(1)
          .max(limits.photos)
          .describe(
            files.on === 'disk'
              ? 'photos of one product: paths of files, or addresses that begin with https://'
              : 'photos of one product: public addresses that begin with https://',
          ),
        scene: z.string().min(1).describe('what the image should show around the product'),
        productName: z.string().max(limits.productNameCharacters).optional(),
        images: imageCount,
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
      }),
      outputSchema: imagesSchema,
      annotations: { ...changing, destructiveHint: false },
    },
    async ({ photos, scene, productName, images: numImages, size, style, maxImages, take }, context) => {
      const sent = files.on === 'disk' ? files.photosOf(photos) : photos;
      const fields = { prompt: scene, productName, numImages, ...imageSizes[size], style };
      const key = createHash('sha256')
        .update(JSON.stringify([sent, fields, take]))
        .digest('hex');
      let said = Promise.resolve();
      const images = await account.make(
        { photos: sent, ...fields, maxImages },
        `packshot-mcp-${key}`,
        (newest) => {
          said = said.then(() => sayProgress(context, newest));
        },
        context.mcpReq.signal,
      );
      // What comes after the answer is not heard.
      await said;
      return answer({ images: images.map(present) });
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
      annotations: { ...changing, destructiveHint: true },
    },
    async ({ id }) => answer(present(await account.cancel(id))),
  );
}

function registerFiles(server: McpServer, files: Files): void {
  const rules = 'Says which rules of the marketplace it does not obey. Uses nothing.';
  if (files.on === 'disk') {
    server.registerTool(
      'save_image',
      {
        title: 'Write an image to a file',
        description:
          'Writes the PNG of a finished image to a file, and replaces what is there. Uses nothing.',
        inputSchema: idSchema.extend({ file: z.string().describe('path of the file') }),
        outputSchema: z.object({ file: z.string() }),
        annotations: { ...changing, destructiveHint: true },
      },
      async ({ id, file }) => answer({ file: await files.save(id, file) }),
    );
    server.registerTool(
      'export_image',
      {
        title: 'Write an image for a marketplace',
        description: `Writes a finished image as a marketplace wants it, beside a file: its preset and ending are added to the name. ${rules}`,
        inputSchema: presetSchema.extend({
          file: z.string().describe('path of the image; the folder must exist'),
        }),
        outputSchema: z.object({ file: z.string(), preset: z.string(), failedRules: z.array(z.string()) }),
        annotations: { ...changing, destructiveHint: true },
      },
      async ({ id, preset, file }) => answer(await files.saveExport(id, preset, file)),
    );
    return;
  }
  const fileSchema = z.object({ mimeType: z.string(), bytes: z.number() });
  server.registerTool(
    'save_image',
    {
      title: 'The file of an image',
      description: 'Answers with the PNG of a finished image. Uses nothing.',
      inputSchema: idSchema,
      outputSchema: fileSchema,
      annotations: readOnly,
    },
    async ({ id }) => answerWithFile(await files.read(id), {}),
  );
  server.registerTool(
    'export_image',
    {
      title: 'The file of an image for a marketplace',
      description: `Answers with a finished image as a marketplace wants it. ${rules}`,
      inputSchema: presetSchema,
      outputSchema: fileSchema.extend({ preset: z.string(), failedRules: z.array(z.string()) }),
      annotations: readOnly,
    },
    async ({ id, preset }) => {
      const { failedRules, ...file } = await files.readExport(id, preset);
      return answerWithFile(file, { preset, failedRules });
    },
  );
}

/** As structured data, and as text for clients without it. */
function answer<Data extends object>(structuredContent: Data) {
  return {
    content: [{ type: 'text' as const, text: JSON.stringify(structuredContent) }],
    structuredContent: { ...structuredContent },
  };
}

function answerWithFile({ bytes, mimeType }: ToolFile, details: object) {
  const { content, structuredContent } = answer({ mimeType, bytes: bytes.byteLength, ...details });
  const data = Buffer.from(bytes).toString('base64');
  return { content: [...content, { type: 'image' as const, data, mimeType }], structuredContent };
}

function present({ id, productName, prompt, state, image, match, failure, imageUsed }: ToolImage) {
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
async function sayProgress({ mcpReq }: ServerContext, images: readonly ToolImage[]): Promise<void> {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return;
  const ended = images.filter(({ state }) => hasEnded(state)).length;
  const message = `${ended} of ${images.length} images have ended`;
  const params = { progressToken, progress: ended, total: images.length, message };
  await mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
}
