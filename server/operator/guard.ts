import plugin from 'fastify-plugin';
import type { ServerContext } from '#server/http/context.ts';
import { findActiveProfile } from '#shared/data/profiles/find.ts';
import { AppError } from '#shared/platform/errors.ts';

/** The operator of a request. */
interface Operator {
  id: string;
  /** The address, for the audit log. */
  email: string;
}

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Hook for routes of operators.
     * @throws AppError UNAUTHENTICATED, OPERATORS_ONLY, or OPERATOR_TWO_FACTOR while two-factor sign-in is off
     */
    requireOperator(request: FastifyRequest, reply: FastifyReply): Promise<void>;
    /**
     * @returns the operator with this id
     * @throws AppError OPERATORS_ONLY or OPERATOR_TWO_FACTOR
     */
    findOperator(sellerId: string): Promise<Operator>;
  }
  interface FastifyRequest {
    /** Set by `requireOperator`. */
    operator: Operator;
  }
}

/**
 * The role is read from the profile with each request, so that it ends at once when it is revoked
 * (docs/decisions/0071-operators.md).
 */
export const operatorGuard = plugin<{ context: Pick<ServerContext, 'db'> }>(async (app, { context }) => {
  app.decorateRequest('operator', null as unknown as Operator);
  app.decorate('findOperator', async (sellerId) => {
    const profile = await findActiveProfile(context.db, sellerId);
    if (!profile?.operator_since) throw new AppError('OPERATORS_ONLY');
    if (!profile.two_factor_enabled) throw new AppError('OPERATOR_TWO_FACTOR');
    return { id: profile._id, email: profile.email };
  });
  app.decorate('requireOperator', async (request, reply) => {
    await app.requireSession(request, reply);
    request.operator = await app.findOperator(request.caller.sellerId);
  });
});
