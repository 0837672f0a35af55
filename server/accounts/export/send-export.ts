import type { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

/** Sends an export as a file, under the date of today. */
export function sendExport(reply: FastifyReply, stream: Readable): FastifyReply {
  const name = `packshot-${new Date().toISOString().slice(0, 10)}.zip`;
  return reply
    .type('application/zip')
    .headers({ 'content-disposition': `attachment; filename="${name}"`, 'cache-control': 'no-store' })
    .send(stream);
}
