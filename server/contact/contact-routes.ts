import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { contactSchema, paths } from '#contract';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { optionalSession } from '#server/http/documented.ts';
import { errorReplies } from '#server/http/replies.ts';
import { mayGenerate } from '#shared/credits/holds.ts';
import { findActiveProfile } from '#shared/data/profiles/find.ts';
import type { MessageSeller } from '#shared/mail/templates/contact.ts';
import { createMessageSender } from './send-message.ts';

/** The contact form. */
export async function contactRoutes(app: App, { context }: { context: ServerContext }) {
  const send = createMessageSender(context);

  app.post(
    paths.contact,
    {
      onRequest: app.limitNetwork('contact'),
      schema: {
        operationId: 'sendMessage',
        tags: ['contact'],
        security: optionalSession,
        summary: 'Send us a message',
        description:
          'Works without a session. With one, the message says which seller sent it. Leave `website` out.',
        body: contactSchema,
        response: { 202: z.object({}), ...errorReplies(400, 403, 413, 415, 429, 503) },
      },
    },
    async (request, reply) => {
      const { name: fullName, email, subject, message, website } = request.body;
      reply.status(202);
      if (website) return {};
      const [at, seller] = [new Date(), await sellerOf(request)];
      await send({
        kind: 'contactMessage',
        data: { fullName, email, subject, message, at, seller },
        confirmation: { kind: 'contactReceived', data: { subject, at } },
        content: [fullName, subject, message],
        options: { important: seller?.plan === 'enterprise' },
      });
      return {};
    },
  );

  /** The seller who sent a request; null without a session. */
  async function sellerOf(request: FastifyRequest): Promise<MessageSeller | null> {
    const caller = await app.callerOf(request.headers);
    const profile = caller && (await findActiveProfile(context.db, caller.sellerId));
    if (!profile) return null;
    const plan = mayGenerate(profile, new Date()) ? profile.subscription_plan : null;
    return { id: profile._id, email: profile.email, plan };
  }
}
