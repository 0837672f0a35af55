import { createHash } from 'node:crypto';
import { z } from 'zod';
import { applicationSchema, limits, paths } from '#contract';
import { requestLimits } from '#contract/request-limits.ts';
import { serverLimits } from '#contract/server-limits.ts';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { disconnectedOf } from '#server/http/disconnected.ts';
import { cvPart } from '#server/http/documented.ts';
import { errorReplies } from '#server/http/replies.ts';
import { createSlots } from '#server/uploads/slots.ts';
import { widestNetwork } from '#shared/platform/network-tiers.ts';
import { checkApplicationHeaders, readApplication } from './read-application.ts';
import { createMessageSender } from './send-message.ts';

/** Applications for a position. They reach us by mail, with the CV, which waits in the outbox until it is sent. */
export async function applicationRoutes(app: App, { context }: { context: ServerContext }) {
  const send = createMessageSender(context);
  // They bound the memory for CVs.
  const slots = createSlots(
    {
      perOwner: limits.applicationsOfNetwork,
      total: limits.applications,
      waitingPerOwner: requestLimits.network.application.requests * requestLimits.widerNetworks[48],
      waitingTotal: serverLimits.uploadsInLine,
      waitMs: serverLimits.uploadLineSeconds * 1_000,
    },
    'TOO_MANY_UPLOADS',
  );

  app.post(
    paths.applications,
    {
      onRequest: app.limitNetwork('application'),
      schema: {
        operationId: 'sendApplication',
        tags: ['contact'],
        summary: 'Apply for a position',
        description:
          `Multipart form: a CV as file part named \`cv\` (PDF, DOCX, ODT or DOC, at most ${limits.cvBytes / 1024 / 1024} MB), ` +
          'and the text fields `position`, `name`, `email` and `message` (optional). Leave `website` out.',
        consumes: ['multipart/form-data'],
        form: { fields: applicationSchema, files: { cv: cvPart } },
        response: { 202: z.object({}), ...errorReplies(400, 403, 408, 413, 415, 429, 503) },
      },
    },
    async (request, reply) => {
      checkApplicationHeaders(request);
      const slot = await slots.take(widestNetwork(request.network), disconnectedOf(reply));
      try {
        const application = await readApplication(request);
        if (!application.website) await sendApplication(application);
      } finally {
        slot.release();
      }
      return reply.status(202).send({});
    },
  );

  async function sendApplication(application: Awaited<ReturnType<typeof readApplication>>): Promise<void> {
    const { name: fullName, email, position, message, cv } = application;
    const at = new Date();
    const hash = createHash('sha256').update(cv.bytes).digest('hex');
    await send({
      kind: 'application',
      data: { fullName, email, position, message, at },
      confirmation: { kind: 'applicationReceived', data: { position, at } },
      content: [fullName, position, message, hash],
      options: {
        attachment: {
          // Never the applicant's own name of the file.
          file_name: `cv-${position}-${hash.slice(0, 8)}.${cv.extension}`,
          content_type: cv.mediaType,
          content: cv.bytes,
        },
      },
    });
  }
}
