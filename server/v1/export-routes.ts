import { z } from 'zod';
import {
  type ExportCheck,
  type ExportPresetId,
  exportPreset,
  exportPresetIds,
  limits,
  type V1ExportCheck,
  type V1ExportPreset,
  v1ExportCheckSchema,
  v1ExportPaths,
  v1ExportPresetListSchema,
  v1ExportQuerySchema,
  v1FailedRulesHeader,
  v1ZipQuerySchema,
} from '#contract';
import type { App } from '#server/http/app-type.ts';
import { versionHeaders } from '#server/http/documented.ts';
import { admitDownload } from '#server/http/downloads.ts';
import { errorReplies, fileReply } from '#server/http/replies.ts';
import { describeRule } from '#server/images/check-rules.ts';
import { type ExportFile, exportFilesOf, renderExport } from '#server/images/export-files.ts';
import { exportMediaTypes, sendExport, sendExportZip } from '#server/images/send-exports.ts';
import { AppError } from '#shared/platform/errors.ts';
import type { V1Parts } from './parts.ts';

/** Version 1 of the API: finished images as marketplaces want them (docs/decisions/0135-the-api-for-programs.md). */
export async function v1ExportRoutes(app: App, { context, downloads }: V1Parts) {
  const params = z.object({ id: z.string(), preset: z.string() });
  const common = { tags: ['api'], requestHeaders: versionHeaders };
  const onRequest = app.requireKey('exports:read');

  /** The file of a path. @throws AppError NOT_FOUND unless generation and preset exist, and it is finished */
  async function fileOf(
    sellerId: string,
    { id, preset }: z.infer<typeof params>,
    query: z.infer<typeof v1ExportQuerySchema>,
  ): Promise<ExportFile> {
    const known = exportPresetIds.find((each) => each === preset);
    if (!known) throw new AppError('NOT_FOUND');
    const [file] = await exportFilesOf(context, sellerId, { ...query, images: [id], presets: [known] });
    return file!;
  }

  app.get(
    v1ExportPaths.presets,
    {
      onRequest,
      schema: {
        ...common,
        operationId: 'presets.list',
        summary: 'What marketplaces want of an image',
        response: { 200: v1ExportPresetListSchema, ...errorReplies(400, 401, 403, 429) },
      },
    },
    async () => ({ presets: exportPresetIds.map(presentPreset) }),
  );

  app.get(
    v1ExportPaths.file(':id', ':preset'),
    {
      onRequest,
      exposeHeadRoute: false,
      schema: {
        ...common,
        operationId: 'exports.get',
        summary: 'A finished image as a marketplace wants it',
        description:
          'As it was edited last, where the seller has edited it. The header `Packshot-Failed-Rules` names the rules of the ' +
          'preset that the file does not obey, such as `"Background", "Product size"`; without it the file obeys all.',
        params,
        querystring: v1ExportQuerySchema,
        response: {
          200: fileReply('The file', ...Object.values(exportMediaTypes)),
          ...errorReplies(400, 401, 403, 404, 429, 503),
        },
      },
    },
    async (request, reply) => {
      const disconnected = await admitDownload(downloads, request, reply);
      const exported = await fileOf(request.caller.sellerId, request.params, request.query);
      const { file, check } = await renderExport(context, exported, disconnected);
      // A file takes its turn, and the key may have been revoked since.
      await app.confirmKey(request);
      const failed = check.rules.filter(({ outcome }) => outcome === 'fails');
      if (failed.length > 0)
        reply.header(v1FailedRulesHeader, failed.map(({ name }) => `"${name}"`).join(', '));
      sendExport(reply, exported, file);
      return reply;
    },
  );

  app.get(
    v1ExportPaths.check(':id', ':preset'),
    {
      onRequest,
      exposeHeadRoute: false,
      schema: {
        ...common,
        operationId: 'exports.check',
        summary: 'How such a file obeys the rules',
        description:
          'The same request as for the file, answered with its name and size and with each rule of the preset: what was ' +
          'measured, what is needed, and whether the file obeys it.',
        params,
        querystring: v1ExportQuerySchema,
        response: { 200: v1ExportCheckSchema, ...errorReplies(400, 401, 403, 404, 429, 503) },
      },
    },
    async (request, reply) => {
      const disconnected = await admitDownload(downloads, request, reply);
      const exported = await fileOf(request.caller.sellerId, request.params, request.query);
      const { check } = await renderExport(context, exported, disconnected);
      await app.confirmKey(request);
      return presentCheck(check);
    },
  );

  app.get(
    v1ExportPaths.zip,
    {
      onRequest,
      exposeHeadRoute: false,
      schema: {
        ...common,
        operationId: 'exports.zip',
        summary: 'Finished images as marketplaces want them, in a ZIP',
        description:
          `Up to ${limits.exportImages} images in any number of presets; each file is made while the ZIP is sent. If one cannot be ` +
          'made, the connection ends early and the ZIP is not complete.',
        querystring: v1ZipQuerySchema,
        response: {
          200: fileReply('The ZIP', 'application/zip'),
          ...errorReplies(400, 401, 403, 404, 429, 503),
        },
      },
    },
    async (request, reply) => {
      const disconnected = await admitDownload(downloads, request, reply);
      const { generations: images, ...query } = request.query;
      const files = await exportFilesOf(context, request.caller.sellerId, { ...query, images });
      const { file } = await renderExport(context, files[0]!, disconnected);
      await app.confirmKey(request);
      sendExportZip(context, reply, files, file);
      return reply;
    },
  );
}

function presentPreset(id: ExportPresetId): V1ExportPreset {
  const { name, group, format, rules, toCheck, source } = exportPreset(id);
  return {
    id,
    name,
    group,
    format,
    rules: rules.map((rule) => ({
      ...describeRule(rule),
      confirmed: rule.confirmed,
      advised: rule.advised ?? false,
    })),
    toCheck,
    source,
  };
}

const presentCheck = ({ image, ...check }: ExportCheck): V1ExportCheck => ({
  generationId: image,
  ...check,
  passes: check.rules.every(({ outcome }) => outcome !== 'fails'),
});
