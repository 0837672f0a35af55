import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import {
  paths,
  type SessionReply,
  sessionReplySchema,
  signInSchema,
  signUpSchema,
} from '../../shared/contract/index.ts';
import { createAccount, noteSignIn } from '../../shared/data/accounts.ts';
import type { ProfileRow } from '../../shared/data/profile.ts';
import { Refusal } from '../../shared/errors.ts';
import { hashPassword, verifyPassword } from '../../shared/passwords.ts';
import { presentMe } from '../../shared/present.ts';
import type { App } from '../app.ts';
import type { ServerContext } from '../context.ts';
import { refusalReplies } from '../replies.ts';
import { createSignInLimit } from '../sign-in-limit.ts';

/** Sign-up, sign-in, sign-out. */
export async function accountRoutes(app: App, { context }: { context: ServerContext }) {
  const { data, config } = context;
  const limitSignIn = createSignInLimit(data);

  async function beginSession(
    request: FastifyRequest,
    reply: FastifyReply,
    profile: ProfileRow,
  ): Promise<SessionReply> {
    const { token, expiresAt } = await app.signIn(request, reply, profile._id);
    const settings = await data.userSettings.findById(profile._id).lean();
    if (!settings) throw new Refusal('BAD_CREDENTIALS');
    return {
      ...presentMe(profile, settings, config.image.provider),
      token,
      expiresAt: expiresAt.toISOString(),
    };
  }

  app.post(
    paths.accounts,
    {
      schema: {
        summary: 'Sign up',
        body: signUpSchema,
        response: { 202: z.object({}), ...refusalReplies(400, 403) },
      },
    },
    async (request, reply) => {
      const { email, fullName, password, plan } = request.body;
      const passwordHash = await hashPassword(password);
      await createAccount(data, { email, fullName, passwordHash, plan });
      return reply.status(202).send({});
    },
  );

  app.post(
    paths.session,
    {
      schema: {
        summary: 'Sign in',
        body: signInSchema,
        response: { 200: sessionReplySchema, ...refusalReplies(400, 401, 403, 429) },
      },
    },
    async (request, reply) => {
      const { email, password } = request.body;
      await limitSignIn(email);
      const user = await data.users.findOne({ email }).lean();
      const right = await verifyPassword(user?.password_hash, password);
      if (!user || !right) throw new Refusal('BAD_CREDENTIALS');
      const profile = await noteSignIn(data, user._id);
      if (!profile) throw new Refusal('BAD_CREDENTIALS');
      return beginSession(request, reply, profile);
    },
  );

  app.delete(
    paths.session,
    { schema: { summary: 'Sign out', response: { 204: z.null(), ...refusalReplies(403) } } },
    async (request, reply) => {
      await app.signOut(request, reply);
      return reply.status(204).send(null);
    },
  );
}
