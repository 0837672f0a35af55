import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { downloadName, limits, paths } from '#contract';
import type { App } from '#server/http/app-type.ts';
import { attachment } from '#server/http/attachment.ts';
import type { ServerContext } from '#server/http/context.ts';
import { disconnectedOf } from '#server/http/disconnected.ts';
import { hasFile, isSameFile, rangeOf } from '#server/http/ranges.ts';
import { errorReplies, fileReply } from '#server/http/replies.ts';
import { findGeneration } from '#shared/data/generations/find.ts';
import { AppError } from '#shared/platform/errors.ts';
import { type ByteRange, extensionOf, mediaTypeOf, storageKeys } from '#shared/storage/storage.ts';
import { previewName } from '#shared/views/generation.ts';
import { imageKeyOf } from './image-key.ts';
import { renderEdits } from './render-edits.ts';
import { thumbnailOf } from './thumbnail.ts';

/** A browser may cache an image for this time; shared caches may not. */
const cacheControl = `private, max-age=${limits.imageCacheSeconds}`;

/** Serves photos, previews and images to their owner. */
export async function imageRoutes(app: App, { context }: { context: ServerContext }) {
  const { db, storage, decoder, config } = context;
  const presigned = config.imageDelivery === 'presigned' ? storage.presigned : undefined;

  app.get(
    paths.generationImage(':id', ':name'),
    {
      onRequest: app.requireSession,
      exposeHeadRoute: false,
      config: { openToOtherSites: 'a seller follows the address of an image in a chat or a table' },
      schema: {
        operationId: 'downloadImage',
        tags: ['images'],
        summary: 'An image of a generation',
        description:
          '`image` or `edited-<version>`: PNG; `photo-0` to `photo-3`: JPEG, or PNG if it has transparency; with the suffix `-thumbnail` a small WebP. `image-product`: a small grey PNG of where the product is, for previews of edits. `preview-1-0`: a small JPEG, or WebP if it has transparency, ' +
          'available while it is the newest preview of a running generation. With `?download` an image is sent as an ' +
          'attachment. `Range` is supported except for previews and thumbnails. Where images are delivered by the ' +
          'storage, the answer is a redirect to it, except to scripts in a browser.',
        params: z.object({ id: z.string(), name: z.string() }),
        querystring: z.object({ download: z.string().optional() }),
        response: {
          200: fileReply(
            'PNG or JPEG, or WebP for a preview or a thumbnail',
            'image/png',
            'image/jpeg',
            'image/webp',
          ),
          206: fileReply('The requested range', 'image/png', 'image/jpeg'),
          302: z.undefined().describe('The storage has it, at an address that works for a short time'),
          304: z.undefined().describe('Not modified'),
          ...errorReplies(401, 404, 416, 503),
        },
      },
    },
    async (request, reply) => {
      const { id, name } = request.params;
      const row = await findGeneration(db, request.caller.sellerId, id);
      if (!row) throw new AppError('NOT_FOUND');
      if (row.preview_key && row.state === 'running' && name === previewName(row.preview_key)) {
        const type = mediaTypeOf(row.preview_key);
        const address = await addressOf(request, row.preview_key, { type, cacheControl: 'no-store' });
        if (address) return redirect(reply, address);
        const preview = await storage.get(row.preview_key);
        if (!preview) throw new AppError('NOT_FOUND');
        return reply.type(type).header('cache-control', 'no-store').send(preview);
      }
      const thumbnail = name.endsWith('-thumbnail');
      const isProduct = name === 'image-product';
      const key = imageKeyOf(
        row,
        isProduct ? 'image' : thumbnail ? name.slice(0, -'-thumbnail'.length) : name,
      );
      if (!key) throw new AppError('NOT_FOUND');
      const client = { sellerId: row.profile, disconnected: disconnectedOf(reply) };

      // The bytes behind a name never change.
      const cacheHeaders = { etag: `"${id}-${name}"`, 'cache-control': cacheControl };
      if (hasFile(request.headers['if-none-match'], cacheHeaders.etag))
        return reply.status(304).headers(cacheHeaders).send(undefined);
      if (isProduct) {
        const product = await storage.withFile(key, (path) => decoder.findProduct(client, path));
        if (!product) throw new AppError('NOT_FOUND');
        return reply.headers(cacheHeaders).type('image/png').send(Buffer.from(product));
      }
      if (row.edits && key === storageKeys.edited(id, row.edits.version))
        await renderEdits(context, row, client.disconnected);
      if (thumbnail) {
        const file = { type: 'image/webp', cacheControl };
        const address = await addressOf(request, storageKeys.thumbnail(key), file);
        if (address) return redirect(reply, address);
        const small = await thumbnailOf(context, client, key, name.startsWith('photo-') ? undefined : row);
        if (!small) throw new AppError('NOT_FOUND');
        return reply.headers(cacheHeaders).type('image/webp').send(small);
      }
      const disposition =
        request.query.download === undefined
          ? undefined
          : attachment(downloadName(row.product_name, row.created_at.toISOString(), extensionOf(key)));
      const address = await addressOf(request, key, { type: mediaTypeOf(key), disposition, cacheControl });
      if (address) return redirect(reply, address);
      const range = await requestedRange(request, reply, key, cacheHeaders.etag);
      const file = await storage.open(key, range);
      if (!file) throw new AppError('NOT_FOUND');
      if (disposition) reply.header('content-disposition', disposition);
      if (range) {
        reply.status(206).header('content-range', `bytes ${range.start}-${range.end}/${file.bytes}`);
      }
      return reply
        .headers({ ...cacheHeaders, 'accept-ranges': 'bytes' })
        .header('content-length', range ? range.end - range.start + 1 : file.bytes)
        .type(mediaTypeOf(key))
        .send(file.stream);
    },
  );

  /**
   * The storage's own address of a file.
   * @returns undefined if this server has to send the file, or there is none
   */
  async function addressOf(
    { headers }: FastifyRequest,
    key: string,
    file: { type: string; disposition?: string | undefined; cacheControl: string },
  ): Promise<string | undefined> {
    if (!presigned || isForScript(headers['sec-fetch-mode'])) return undefined;
    return (await storage.has(key)) ? presigned.of(key, { disposition: undefined, ...file }) : undefined;
  }

  /** @returns undefined for the whole file @throws AppError RANGE_NOT_SATISFIABLE */
  async function requestedRange(
    { headers }: FastifyRequest,
    reply: FastifyReply,
    key: string,
    etag: string,
  ): Promise<ByteRange | undefined> {
    if (headers.range === undefined || !isSameFile(headers['if-range'], etag)) return undefined;
    const bytes = await storage.sizeOf(key);
    if (bytes === undefined) throw new AppError('NOT_FOUND');
    const range = rangeOf(headers.range, bytes);
    if (range === 'unsatisfiable') {
      reply.header('content-range', `bytes */${bytes}`);
      throw new AppError('RANGE_NOT_SATISFIABLE');
    }
    return range === 'whole' ? undefined : range;
  }
}

/** Not cached, because the address stops working. */
const redirect = (reply: FastifyReply, address: string) =>
  reply.header('cache-control', 'private, no-store').redirect(address, 302);

/**
 * Whether a script of a browser reads the file, or draws it and reads its pixels: it may not read those of another origin
 * unless the storage allows it, which would have to be configured there.
 */
const isForScript = (fetchMode: unknown) => fetchMode === 'cors' || fetchMode === 'same-origin';
