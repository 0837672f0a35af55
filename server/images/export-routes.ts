import {
  exportCheckQuerySchema,
  exportCheckSchema,
  exportChecksSchema,
  exportFileQuerySchema,
  exportParts,
  exportQuerySchema,
  limits,
  paths,
} from '#contract';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { admitDownload } from '#server/http/downloads.ts';
import { inPieces } from '#server/http/pieces.ts';
import { errorReplies, fileReply, formReply } from '#server/http/replies.ts';
import type { Slots } from '#server/uploads/slots.ts';
import { exportFilesOf, renderExport } from './export-files.ts';
import { exportMediaTypes, sendExport, sendExportZip } from './send-exports.ts';

/** Files of finished images for marketplaces. */
export async function imageExportRoutes(
  app: App,
  { context, downloads }: { context: ServerContext; downloads: Slots },
) {
  app.get(
    paths.exportFile,
    {
      onRequest: app.requireSession,
      exposeHeadRoute: false,
      schema: {
        operationId: 'makeExport',
        tags: ['images'],
        summary: 'One finished image as a marketplace wants it, with the rules that it obeys and breaks',
        description:
          'The same query as for the download, with one image and one preset. The file is made once: what the check says is ' +
          'true of its bytes.',
        querystring: exportFileQuerySchema,
        response: {
          200: formReply('The check and the file', {
            [exportParts.check]: exportCheckSchema,
            [exportParts.file]: Object.values(exportMediaTypes),
          }),
          ...errorReplies(400, 401, 404, 429, 503),
        },
      },
    },
    async (request, reply) => {
      const disconnected = await admitDownload(downloads, request, reply);
      const [wanted] = await exportFilesOf(context, request.caller.sellerId, request.query);
      const { file, check } = await renderExport(context, wanted!, disconnected);
      const form = new FormData();
      form.set(exportParts.check, new Blob([JSON.stringify(check)], { type: 'application/json' }));
      // WebKit loses a file whose name is not ASCII. The check has the name.
      form.set(exportParts.file, new Blob([file], { type: exportMediaTypes[wanted!.format] }), 'file');
      const encoded = new Response(form);
      // Not its stream: that of undici throws where nobody can catch it when a client leaves.
      const body = new Uint8Array(await encoded.arrayBuffer());
      return reply
        .header('cache-control', 'no-store')
        .type(encoded.headers.get('content-type')!)
        .header('content-length', body.byteLength)
        .send(inPieces(body));
    },
  );

  app.get(
    paths.exportChecks,
    {
      onRequest: app.requireSession,
      exposeHeadRoute: false,
      schema: {
        operationId: 'checkExports',
        tags: ['images'],
        summary: 'Check finished images by the rules of marketplaces',
        description:
          `The same query as for the download, with up to ${limits.exportImagesChecked} images, and without own presets. For each file: its name and size, and each rule of its preset as \`pass\`, ` +
          '`fixed` (the image did not obey it, the file does) or `fails`, with what was measured and what is needed. ' +
          'The files are made for that and not kept: whoever wants them as well asks for them with `makeExport`.',
        deprecated: true,
        querystring: exportCheckQuerySchema,
        response: { 200: exportChecksSchema, ...errorReplies(400, 401, 404, 429, 503) },
      },
    },
    async (request, reply) => {
      const disconnected = await admitDownload(downloads, request, reply);
      const files = await exportFilesOf(context, request.caller.sellerId, request.query);
      const checks = [];
      for (const file of files) checks.push((await renderExport(context, file, disconnected)).check);
      return { files: checks };
    },
  );

  app.get(
    paths.exports,
    {
      onRequest: app.requireSession,
      exposeHeadRoute: false,
      schema: {
        operationId: 'downloadExports',
        tags: ['images'],
        summary: 'Download finished images as marketplaces want them',
        description:
          `Up to ${limits.exportImages} images in any number of presets: one file, or a ZIP of several. An edited image is ` +
          'exported as edited. Files are sRGB with a profile, and say in their metadata how the image was made and ' +
          'what the product is called.',
        querystring: exportQuerySchema,
        response: {
          200: fileReply(
            'The file, or a ZIP of several',
            ...Object.values(exportMediaTypes),
            'application/zip',
          ),
          ...errorReplies(400, 401, 404, 429, 503),
        },
      },
    },
    async (request, reply) => {
      const disconnected = await admitDownload(downloads, request, reply);
      const files = await exportFilesOf(context, request.caller.sellerId, request.query);
      const first = files[0]!;
      const { file } = await renderExport(context, first, disconnected);
      if (files.length === 1) sendExport(reply, first, file);
      else sendExportZip(context, reply, files, file);
      return reply;
    },
  );
}
