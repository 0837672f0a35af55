import { Readable } from 'node:stream';
import { fetchPhotoSchema, paths, photoAddressLimits, photoTypes } from '#contract';
import type { App } from '#server/http/app-type.ts';
import { attachment } from '#server/http/attachment.ts';
import type { ServerContext } from '#server/http/context.ts';
import { admitDownload } from '#server/http/downloads.ts';
import { errorReplies, fileReply } from '#server/http/replies.ts';
import { checkMayUpload } from '#server/uploads/may-upload.ts';
import type { SlotLimits, Slots } from '#server/uploads/slots.ts';
import { fetchForSeller } from './fetch-for-seller.ts';

/** They bound the memory of the server: a slot is taken until its photo was read. */
export const photoAddressSlots: SlotLimits = {
  perOwner: photoAddressLimits.atOnceOfSeller,
  total: photoAddressLimits.atOnce,
  waitingPerOwner: photoAddressLimits.waitingOfSeller,
  waitingTotal: photoAddressLimits.waiting,
  waitMs: photoAddressLimits.waitSeconds * 1_000,
};

/**
 * Photos that are on the internet already: the server fetches them for a seller, and stores nothing.
 * @param slots of the photos that this server fetches
 */
export async function photoAddressRoutes(
  app: App,
  { context, slots }: { context: ServerContext; slots: Slots },
) {
  app.post(
    paths.photoAddresses,
    {
      onRequest: [
        app.requireSession,
        app.limitSeller('photo-address'),
        // Whoever could make no image of a photo does not fetch any: this is no proxy.
        async ({ caller: { sellerId } }) => void (await checkMayUpload(context, sellerId)),
      ],
      exposeHeadRoute: false,
      schema: {
        operationId: 'fetchPhoto',
        tags: ['generations'],
        summary: 'Fetch a photo from its address',
        description:
          'The server fetches a photo that is on the public internet, with https on port 443 and without signing in, follows ' +
          'up to three redirects, and answers with its bytes. Nothing is stored or counted. The content decides what it is. ' +
          'Send the bytes as a photo of a submission or of a batch.',
        body: fetchPhotoSchema,
        response: {
          200: fileReply('The photo', ...Object.keys(photoTypes)),
          ...errorReplies(400, 401, 402, 413, 415, 422, 429, 503),
        },
      },
    },
    async (request, reply) => {
      const { url } = request.body;
      const disconnected = await admitDownload(slots, request, reply);
      const { pieces, bytes, mediaType, fileName } = await fetchForSeller(
        context.outbound,
        request,
        url,
        disconnected,
      );
      return reply
        .type(mediaType)
        .headers({
          'content-disposition': attachment(fileName),
          'content-length': bytes,
          'cache-control': 'no-store',
        })
        .send(Readable.from(pieces, { objectMode: false }));
    },
  );
}
