import {
  drawnSketchesSchema,
  drawSketchesSchema,
  headBytes,
  paths,
  photoCheckLimits,
  photoFormatOf,
} from '#contract';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { disconnectedOf } from '#server/http/disconnected.ts';
import { errorReplies } from '#server/http/replies.ts';
import { AppError } from '#shared/platform/errors.ts';

const busyText =
  'Many people are trying this right now. Please try again in a moment, or sign up to go on with your photo.';

/** A visitor's product in scenes, without an account (docs/decisions/0125-try-it-without-an-account.md). */
export async function sketchRoutes(app: App, { context }: { context: ServerContext }) {
  app.post(
    paths.sketches,
    {
      onRequest: [
        async () => {
          if (!context.config.visitorSketches) throw new AppError('NOT_FOUND');
        },
        app.limitNetwork('sketch'),
      ],
      // The JSON around the copy has few characters.
      bodyLimit: photoCheckLimits.characters + 1_024,
      schema: {
        operationId: 'drawSketches',
        tags: ['service'],
        summary: 'Sketches of a product in three scenes',
        description:
          'Takes a small copy of a photo, without a session. Nothing is stored. The sketches have a watermark; there are none if ' +
          'the product cannot be cut out.',
        body: drawSketchesSchema,
        response: { 200: drawnSketchesSchema, ...errorReplies(400, 403, 404, 413, 415, 422, 429, 503) },
      },
    },
    async ({ network, body }, reply) => {
      const copy = Buffer.from(body.photo, 'base64');
      const format = photoFormatOf(copy.subarray(0, headBytes));
      if (format === null) throw new AppError('TYPE_UNSUPPORTED');
      const found = await context.sketcher.draw(network, disconnectedOf(reply), copy);
      if (found === null) {
        throw new AppError('UNAVAILABLE', { message: busyText, retryAfterSeconds: 10 });
      }
      if ('refused' in found) {
        const { refused, message } = found;
        throw new AppError(refused, message === undefined ? {} : { message });
      }
      return {
        sketches: found.sketches.map(({ scene, picture }) => ({
          scene,
          picture: Buffer.from(picture).toString('base64'),
        })),
        warnings: found.warnings,
      };
    },
  );
}
