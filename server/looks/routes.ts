import { z } from 'zod';
import {
  changeLookSchema,
  createLookSchema,
  cutText,
  limits,
  lookListSchema,
  lookViewSchema,
  paths,
} from '#contract';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { hasFile } from '#server/http/ranges.ts';
import { errorReplies, fileReply } from '#server/http/replies.ts';
import { findPresets } from '#server/images/find-presets.ts';
import { thumbnailOf } from '#server/images/thumbnail.ts';
import { findGeneration } from '#shared/data/generations/find.ts';
import { beginLookDeletion, changeLook, findLook, type LookRow, listLooks } from '#shared/data/looks.ts';
import { AppError } from '#shared/platform/errors.ts';
import { storageKeys } from '#shared/storage/storage.ts';
import { logIfStorageFails } from '#shared/storage/storage-error.ts';
import { presentLook, saveLook } from './look.ts';

const cacheControl = `private, max-age=${limits.imageCacheSeconds}`;

/** A seller's saved looks (docs/decisions/0055-saved-looks.md). */
export async function lookRoutes(app: App, { context }: { context: ServerContext }) {
  const { db, storage, log } = context;
  const params = z.object({ id: z.string() });
  const onRequest = app.requireSession;

  /** @throws AppError NOT_FOUND unless it is a look of the seller */
  async function lookOf(sellerId: string, id: string): Promise<LookRow> {
    const row = await findLook(db, sellerId, id);
    if (!row) throw new AppError('NOT_FOUND');
    return row;
  }

  /** The small picture of a finished image. @throws AppError VALIDATION unless it is the seller's */
  async function pictureOfGeneration(sellerId: string, id: string): Promise<Buffer | undefined> {
    const generation = await findGeneration(db, sellerId, id);
    if (generation?.image) return thumbnailOf(context, { sellerId }, generation.image.key, generation);
    throw new AppError('VALIDATION', {
      message: 'The picture must be a finished image.',
      field: 'pictureOf',
    });
  }

  app.get(
    paths.looks,
    {
      onRequest,
      schema: {
        operationId: 'listLooks',
        tags: ['looks'],
        summary: "The seller's saved looks, the one that was changed last first",
        response: { 200: lookListSchema, ...errorReplies(401) },
      },
    },
    async ({ caller: { sellerId } }) => ({ looks: (await listLooks(db, sellerId)).map(presentLook) }),
  );

  app.post(
    paths.looks,
    {
      onRequest,
      schema: {
        operationId: 'createLook',
        tags: ['looks'],
        summary: 'Save a look',
        description: 'With `pictureOf`, it gets a copy of the small picture of that finished image.',
        body: createLookSchema,
        response: { 201: lookViewSchema, ...errorReplies(400, 401, 404, 409, 503) },
      },
    },
    async ({ caller: { sellerId }, body: { pictureOf, ...fields } }, reply) => {
      await findPresets(context, sellerId, fields.exportPresets);
      const picture = pictureOf === undefined ? undefined : await pictureOfGeneration(sellerId, pictureOf);
      return reply.status(201).send(presentLook(await saveLook(context, sellerId, fields, picture)));
    },
  );

  app.put(
    paths.look(':id'),
    {
      onRequest,
      schema: {
        operationId: 'changeLook',
        tags: ['looks'],
        summary: 'Change a look',
        description: 'Replaces name, scene and options. An option that is left out gets its default.',
        params,
        body: changeLookSchema,
        response: { 200: lookViewSchema, ...errorReplies(400, 401, 404) },
      },
    },
    async ({ caller: { sellerId }, params: { id }, body }) => {
      await findPresets(context, sellerId, body.exportPresets);
      const row = await changeLook(db, sellerId, id, body);
      if (!row) throw new AppError('NOT_FOUND');
      return presentLook(row);
    },
  );

  app.delete(
    paths.look(':id'),
    {
      onRequest,
      schema: {
        operationId: 'deleteLook',
        tags: ['looks'],
        summary: 'Delete a look',
        params,
        response: { 204: z.null(), ...errorReplies(401, 404) },
      },
    },
    async ({ caller: { sellerId }, params: { id } }, reply) => {
      if (!(await beginLookDeletion(db, sellerId, id))) throw new AppError('NOT_FOUND');
      // If this fails, upkeep does it: it removes the row as well.
      await storage.removeLook(id).catch(logIfStorageFails(log));
      return reply.status(204).send(null);
    },
  );

  app.post(
    paths.duplicateLook(':id'),
    {
      onRequest,
      schema: {
        operationId: 'duplicateLook',
        tags: ['looks'],
        summary: 'Duplicate a look',
        params,
        response: { 201: lookViewSchema, ...errorReplies(401, 404, 409, 503) },
      },
    },
    async ({ caller: { sellerId }, params: { id } }, reply) => {
      const row = await lookOf(sellerId, id);
      const { name, ...look } = presentLook(row);
      const picture = row.picture ? await storage.get(storageKeys.lookPicture(id)) : undefined;
      const copy = { ...look, name: nameOfCopy(name) };
      return reply.status(201).send(presentLook(await saveLook(context, sellerId, copy, picture)));
    },
  );

  app.get(
    paths.lookPicture(':id'),
    {
      onRequest,
      exposeHeadRoute: false,
      schema: {
        operationId: 'downloadLookPicture',
        tags: ['looks'],
        summary: 'The small picture of a look',
        params,
        response: {
          200: fileReply('The picture', 'image/webp'),
          304: z.undefined().describe('Not modified'),
          ...errorReplies(401, 404, 503),
        },
      },
    },
    async ({ caller: { sellerId }, params: { id }, headers }, reply) => {
      const row = await lookOf(sellerId, id);
      if (!row.picture) throw new AppError('NOT_FOUND');
      // The picture of a look never changes.
      const cacheHeaders = { etag: `"look-${id}"`, 'cache-control': cacheControl };
      if (hasFile(headers['if-none-match'], cacheHeaders.etag))
        return reply.status(304).headers(cacheHeaders).send(undefined);
      const picture = await storage.get(storageKeys.lookPicture(id));
      if (!picture) throw new AppError('NOT_FOUND');
      return reply.headers(cacheHeaders).type('image/webp').send(picture);
    },
  );
}

/** `<name> copy`; a long name is cut, never in the middle of a character. */
function nameOfCopy(name: string): string {
  const suffix = ' copy';
  return cutText(name, limits.lookNameCharacters - suffix.length).trimEnd() + suffix;
}
