import type { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { exportZipName } from '#contract/export-file-names.ts';
import { attachment } from '#server/http/attachment.ts';
import type { ServerContext } from '#server/http/context.ts';
import { inPieces } from '#server/http/pieces.ts';
import { createZip } from '#server/http/zip-entries.ts';
import { type ExportFile, renderExport } from './export-files.ts';
import { makeAhead } from './make-ahead.ts';

/** The media types of exported files, by their format. */
export const exportMediaTypes = {
  png: 'image/png',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  avif: 'image/avif',
} as const;

/** Replies with an exported file. */
export function sendExport(reply: FastifyReply, { format, fileName }: ExportFile, file: Uint8Array): void {
  reply
    .type(exportMediaTypes[format])
    .headers({
      'cache-control': 'no-store',
      'content-disposition': attachment(fileName),
      'content-length': file.byteLength,
    })
    .send(inPieces(file));
}

/**
 * Replies with a ZIP of exported files, which are made while those before them are read.
 * @param first the first one, made before the reply begins: if it cannot be made now, the answer is the error and not a ZIP that
 *   ends early
 */
export function sendExportZip(
  context: Pick<ServerContext, 'db' | 'storage' | 'decoder' | 'log'>,
  reply: FastifyReply,
  files: readonly ExportFile[],
  first: Uint8Array,
): void {
  const stream = zipOf(context, files, first);
  stream.on('error', (error) => context.log.warn({ err: error }, 'an export of images was interrupted'));
  reply
    .type('application/zip')
    .headers({ 'cache-control': 'no-store', 'content-disposition': attachment(exportZipName(new Date())) })
    .send(stream);
}

function zipOf(
  context: Pick<ServerContext, 'db' | 'storage' | 'decoder'>,
  files: readonly ExportFile[],
  first: Uint8Array,
): Readable {
  const zip = createZip();
  const { decoder } = context;
  const write = async () => {
    const next = makeAhead(
      files.slice(1),
      (each) => renderExport(context, each, zip.closed),
      (making) => decoder.imageJobs() <= making,
    );
    for (const [index, each] of files.entries()) {
      const open = async () => inPieces(index === 0 ? first : (await next()).file);
      await zip.add(each.fileName, open, { at: each.row.created_at, packed: true });
    }
    zip.end();
  };
  write().catch((error) => zip.output.destroy(error));
  return zip.output;
}
