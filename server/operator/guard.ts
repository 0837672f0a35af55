import plugin from 'fastify-plugin';
import { limits } from '#contract';
import { type Caller, sessionIdOf } from '#server/auth/session.ts';
import type { ServerContext } from '#server/http/context.ts';
import { findSession, hasSecondFactor, type SessionRow } from '#shared/data/accounts/sessions.ts';
import { findUser } from '#shared/data/accounts/users.ts';
import { hasGrantedFactor } from '#shared/data/operator/operators.ts';
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
     * Hook for all routes of operators. One that may change something also takes the password or a code, given in this
     * session within `limits.confirmedMinutes`.
     * @throws AppError UNAUTHENTICATED, CONFIRM_REQUIRED, or as `findOperator`
     */
    requireOperator(request: FastifyRequest, reply: FastifyReply): Promise<void>;
    /**
     * @returns the operator of a session
     * @throws AppError OPERATORS_ONLY; OPERATOR_TWO_FACTOR while two-factor sign-in is off; OPERATOR_SUSPENDED if it is not the
     *   one with which the role was granted; OPERATOR_CODE for a session in which only the password was given
     */
    findOperator(caller: Caller): Promise<Operator>;
  }
  interface FastifyRequest {
    /** Set by `requireOperator`. */
    operator: Operator;
  }
}

/** Methods that change nothing. */
const readOnly: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Role, two-factor sign-in and session are read with each request, and not from the cache of sessions: the role ends at once
 * when it is revoked, and a code that was just given counts on all servers (docs/decisions/0071-operators.md).
 */
export const operatorGuard = plugin<{ context: Pick<ServerContext, 'db'> }>(async (app, { context }) => {
  app.decorateRequest('operator', null as unknown as Operator);
  const { db } = context;

  async function admit(caller: Caller): Promise<{ operator: Operator; session: SessionRow }> {
    const { sellerId } = caller;
    const profile = await findActiveProfile(db, sellerId);
    if (!profile?.operator_since) throw new AppError('OPERATORS_ONLY');
    if (!profile.two_factor_enabled) throw new AppError('OPERATOR_TWO_FACTOR');
    const [user, session] = await Promise.all([findUser(db, sellerId), findSession(db, sessionIdOf(caller))]);
    if (!user || !session) throw new AppError('UNAUTHENTICATED');
    if (!hasGrantedFactor(user, profile)) throw new AppError('OPERATOR_SUSPENDED');
    if (!hasSecondFactor(session)) throw new AppError('OPERATOR_CODE');
    return { operator: { id: profile._id, email: profile.email }, session };
  }

  app.decorate('findOperator', async (caller) => (await admit(caller)).operator);
  app.decorate('requireOperator', async (request, reply) => {
    await app.requireSession(request, reply);
    const { operator, session } = await admit(request.caller);
    if (!readOnly.has(request.method) && !isConfirmed(session)) throw new AppError('CONFIRM_REQUIRED');
    request.operator = operator;
  });
});

function isConfirmed({ confirmed_at: at }: SessionRow): boolean {
  return Boolean(at && at.getTime() > Date.now() - limits.confirmedMinutes * 60_000);
}
