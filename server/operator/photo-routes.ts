import { z } from 'zod';
import { operatorPaths, operatorPhotosSchema, operatorReasonOnlySchema } from '#contract';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { errorReplies, fileReply } from '#server/http/replies.ts';
import { imageKeyOf } from '#server/images/image-key.ts';
import { hasActed } from '#shared/data/operator/operator-actions.ts';
import { AppError } from '#shared/platform/errors.ts';
import { mediaTypeOf } from '#shared/storage/storage.ts';
import { findForOperator } from './generation-life.ts';
import { runLogged } from './run-logged.ts';

/** How long an operator sees the photos of a generation after saying why, in ms. */
const shownMs = 600_000;

/** Photos and image of a generation, for an operator who has said why. The audit log is what allows it. */
export async function operatorPhotoRoutes(app: App, { context }: { context: ServerContext }) {
  const { db, storage } = context;

  app.post(
    operatorPaths.photos(':id'),
    {
      onRequest: app.requireOperator,
      schema: {
        operationId: 'showPhotos',
        tags: ['operator'],
        summary: 'Show the photos and the image of a generation to an operator, for ten minutes',
        params: z.object({ id: z.string() }),
        body: operatorReasonOnlySchema,
        response: { 200: operatorPhotosSchema, ...errorReplies(400, 401, 403, 404) },
      },
    },
    async ({ operator, params: { id }, body: { reason } }) => {
      const target = { kind: 'generation', id } as const;
      const row = await runLogged(context, operator, { action: 'show-photos', target, reason }, () =>
        findForOperator(db, id),
      );
      return {
        photos: row.photos.map((_, index) => operatorPaths.image(id, `photo-${index}`)),
        image: row.image && operatorPaths.image(id, 'image'),
      };
    },
  );

  app.get(
    operatorPaths.image(':id', ':name'),
    {
      onRequest: app.requireOperator,
      exposeHeadRoute: false,
      schema: {
        operationId: 'downloadPhoto',
        tags: ['operator'],
        summary: 'A photo or the image of a generation, for an operator who has said why',
        params: z.object({ id: z.string(), name: z.string() }),
        response: {
          200: fileReply('The photo or the image', 'image/png', 'image/jpeg'),
          ...errorReplies(401, 403, 404),
        },
      },
    },
    async ({ operator, params: { id, name } }, reply) => {
      const row = await findForOperator(db, id);
      const since = new Date(Date.now() - shownMs);
      const allowed = await hasActed(db, { operator: operator.id, target: id, action: 'show-photos', since });
      if (!allowed) throw new AppError('REASON_REQUIRED');
      const key = imageKeyOf(row, name);
      if (!key) throw new AppError('NOT_FOUND');
      const file = await storage.open(key);
      if (!file) throw new AppError('NOT_FOUND');
      return reply
        .headers({ 'cache-control': 'no-store', 'content-length': file.bytes })
        .type(mediaTypeOf(key))
        .send(file.stream);
    },
  );
}
