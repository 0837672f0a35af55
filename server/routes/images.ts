import sharp from 'sharp';
import { z } from 'zod';
import { downloadName, limits, paths } from '../../shared/contract/index.ts';
import type { GenerationRow } from '../../shared/data/generation.ts';
import { findGeneration } from '../../shared/data/generations.ts';
import { Refusal } from '../../shared/errors.ts';
import { storageKeys } from '../../shared/storage.ts';
import { logStorageError, StorageError } from '../../shared/storage-error.ts';
import type { App } from '../app.ts';
import type { ServerContext } from '../context.ts';
import { refusalReplies } from '../replies.ts';

/** Photos, previews and images, to their owner only. */
export async function imageRoutes(app: App, { context }: { context: ServerContext }) {
  const { data, storage, log } = context;

  app.get(
    paths.generationImage(':id', ':name'),
    {
      onRequest: app.requireSession,
      schema: {
        summary: 'An image of a generation',
        description:
          '`image`, `photo-0` to `photo-3` or `preview-1-0` as PNG; with `-thumbnail` behind it a small WebP. ' +
          'With `?download` it is sent as a file to be saved.',
        params: z.object({ id: z.string(), name: z.string() }),
        querystring: z.object({ download: z.string().optional() }),
        response: {
          200: z.any().describe('PNG, or WebP for a thumbnail'),
          304: z.any().describe('You have it already'),
          ...refusalReplies(401, 404),
        },
      },
    },
    async (request, reply) => {
      const { id, name } = request.params;
      const row = await findGeneration(data, request.caller.userId, id);
      const thumbnail = name.endsWith('-thumbnail');
      const key = row && keyOf(row, thumbnail ? name.slice(0, -'-thumbnail'.length) : name);
      if (!row || !key) throw new Refusal('NOT_FOUND');

      // A name stands for the same bytes for ever, so whoever has them need not ask again.
      const etag = `"${id}-${name}"`;
      reply.headers({ etag, 'cache-control': 'private, max-age=31536000, immutable' });
      if (request.headers['if-none-match'] === etag) return reply.status(304).send();
      if (request.query.download !== undefined) {
        reply.header(
          'content-disposition',
          attachment(downloadName(row.product_name, row.created_at.toISOString())),
        );
      }
      if (thumbnail) {
        const small = await thumbnailOf(key);
        if (!small) throw lost(reply);
        return reply.type('image/webp').send(small);
      }
      const file = await storage.open(key);
      if (!file) throw lost(reply);
      return reply.type('image/png').header('content-length', file.bytes).send(file.stream);
    },
  );

  /** Makes a thumbnail when it is first asked for, and keeps it. */
  async function thumbnailOf(key: string): Promise<Buffer | undefined> {
    const kept = await storage.get(storageKeys.thumbnail(key));
    if (kept) return kept;
    const full = await storage.get(key);
    if (!full) return undefined;
    const small = await sharp(full)
      .resize({
        width: limits.thumbnailSide,
        height: limits.thumbnailSide,
        fit: 'inside',
        withoutEnlargement: true,
      })
      .webp({ quality: 82 })
      .toBuffer();
    // One that cannot be kept is made again next time.
    await storage.put(storageKeys.thumbnail(key), small).catch((error) => {
      if (!(error instanceof StorageError)) throw error;
      logStorageError(log, error);
    });
    return small;
  }
}

/** The storage key behind a name, from what the row says it has; a name is never used as a path. */
function keyOf(row: GenerationRow, name: string): string | undefined {
  if (name === 'image') return row.image?.key;
  const photo = /^photo-(\d)$/.exec(name);
  if (photo) return row.photos[Number(photo[1])]?.key;
  const preview = /^preview-(\d{1,6})-(\d)$/.exec(name);
  if (preview) return storageKeys.preview(row._id, Number(preview[1]), Number(preview[2]));
  return undefined;
}

function lost(reply: { removeHeader(name: string): unknown }): Refusal {
  reply.removeHeader('etag');
  reply.removeHeader('cache-control');
  reply.removeHeader('content-disposition');
  return new Refusal('NOT_FOUND');
}

/** RFC 6266, with the full name for those who read RFC 8187 and plain ASCII for the rest. */
function attachment(fileName: string): string {
  const ascii = fileName.replace(/[^\x20-\x7e]/g, '_');
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(fileName)}`;
}
