import { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { balanceSchema, type Files, type ToolAccount } from './account.ts';
import {
  answer,
  answerWithFile,
  changing,
  idSchema,
  imageSchema,
  imagesSchema,
  present,
  readOnly,
} from './answers.ts';
import { registerMaking } from './making.ts';

/*
 * The API as tools of an assistant, by the Model Context Protocol. The command `packshot mcp` serves them over standard input and
 * output, and the server at `/api/v1/mcp` (docs/decisions/0141-usage-reference-and-assistants.md).
 */

const about = [
  'Makes studio product images from photos of a product, on the account of an API key.',
  'Each image uses one of the plan. Say to the person what make_images or make_batch would use (estimate_images), and pass the',
  'number that they agreed to as maxImages: past it nothing is made. Failed images are not counted.',
].join(' ');

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
        'How many images of the plan make_images or make_batch would use, and how many are left. Uses and makes nothing.',
      inputSchema: z.object({ images: z.number().int().min(1).default(1) }),
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
