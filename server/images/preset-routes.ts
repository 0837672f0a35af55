import { z } from 'zod';
import {
  changeOwnPresetSchema,
  createOwnPresetSchema,
  limits,
  type OwnPresetFields,
  ownPresetFault,
  ownPresetListSchema,
  ownPresetPaths,
  ownPresetSchema,
} from '#contract';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { errorReplies } from '#server/http/replies.ts';
import { removePresetFromLooks } from '#shared/data/looks.ts';
import {
  changeOwnPreset,
  fieldsOfRow,
  findOwnPreset,
  insertOwnPreset,
  listOwnPresets,
  removeOwnPreset,
} from '#shared/data/own-presets.ts';
import { AppError } from '#shared/platform/errors.ts';
import { presentOwnPreset } from './present-own-preset.ts';

/** A seller's own export presets (docs/decisions/0118-own-export-presets.md). */
export async function exportPresetRoutes(app: App, { context: { db } }: { context: ServerContext }) {
  const params = z.object({ id: z.string() });
  const onRequest = app.requireSession;

  app.get(
    ownPresetPaths.ownPresets,
    {
      onRequest,
      schema: {
        operationId: 'listExportPresets',
        tags: ['export-presets'],
        summary: "The seller's own export presets, by their names",
        response: { 200: ownPresetListSchema, ...errorReplies(401) },
      },
    },
    async ({ caller: { sellerId } }) => ({
      presets: (await listOwnPresets(db, sellerId)).map(presentOwnPreset),
    }),
  );

  app.post(
    ownPresetPaths.ownPresets,
    {
      onRequest,
      schema: {
        operationId: 'createExportPreset',
        tags: ['export-presets'],
        summary: 'Make an export preset',
        description:
          `A seller has up to ${limits.ownPresets}, each with another name whatever its case. Its \`id\` is used like those of the ` +
          'presets of marketplaces: in exports and in the ZIPs of batches. What was asked for with it keeps the settings of that moment.',
        body: createOwnPresetSchema,
        response: { 201: ownPresetSchema, ...errorReplies(400, 401, 409) },
      },
    },
    async ({ caller: { sellerId }, body }, reply) => {
      const row = await insertOwnPreset(db, sellerId, body);
      if (row === 'limit') throw new AppError('PRESET_LIMIT');
      if (row === 'name') throw new AppError('PRESET_NAME_TAKEN');
      return reply.status(201).send(presentOwnPreset(row));
    },
  );

  app.patch(
    ownPresetPaths.ownPreset(':id'),
    {
      onRequest,
      schema: {
        operationId: 'changeExportPreset',
        tags: ['export-presets'],
        summary: 'Change an export preset',
        description: 'What is left out stays as it is.',
        params,
        body: changeOwnPresetSchema,
        response: { 200: ownPresetSchema, ...errorReplies(400, 401, 404, 409) },
      },
    },
    async ({ caller: { sellerId }, params: { id }, body }) => {
      for (;;) {
        const row = await findOwnPreset(db, sellerId, id);
        if (!row) throw new AppError('PRESET_GONE');
        const fields: OwnPresetFields = { ...fieldsOfRow(row), ...body };
        const fault = ownPresetFault(fields);
        if (fault) throw new AppError('VALIDATION', fault);
        const changed = await changeOwnPreset(db, row, fields);
        if (changed === 'name') throw new AppError('PRESET_NAME_TAKEN');
        // Null if another request changed it in between: then that is what this one changes.
        if (changed) return presentOwnPreset(changed);
      }
    },
  );

  app.delete(
    ownPresetPaths.ownPreset(':id'),
    {
      onRequest,
      schema: {
        operationId: 'deleteExportPreset',
        tags: ['export-presets'],
        summary: 'Delete an export preset; downloads that have begun go on with it, and looks without it',
        params,
        response: { 204: z.null(), ...errorReplies(401, 404) },
      },
    },
    async ({ caller: { sellerId }, params: { id } }, reply) => {
      if (!(await removeOwnPreset(db, sellerId, id))) throw new AppError('PRESET_GONE');
      // A look that still names it, after a crash here, goes on without it as well.
      await removePresetFromLooks(db, sellerId, id);
      return reply.status(204).send(null);
    },
  );
}
