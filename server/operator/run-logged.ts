import type { FastifyRequest } from 'fastify';
import type { OperatorActionKind, OperatorTarget } from '#contract';
import type { ServerContext } from '#server/http/context.ts';
import { inAuditLog } from '#shared/accounts/in-audit-log.ts';

/** What an operator does, as it is logged. */
export interface OperatorAct {
  action: OperatorActionKind;
  target: { kind: OperatorTarget; id: string };
  /** Why; empty where none is asked for. */
  reason?: string;
  /** What exactly, in words. */
  details?: string;
}

/**
 * Runs an operator's action. The audit log has it before it begins, and how it ended afterwards; one that is refused is
 * logged as well.
 * @param run gets the id of the line in the log, which is never used twice
 * @throws what `run` throws
 */
export async function runLogged<Result>(
  { db, log }: Pick<ServerContext, 'db' | 'log'>,
  operator: FastifyRequest['operator'],
  { action, target, reason = '', details = '' }: OperatorAct,
  run: (actionId: string) => Promise<Result>,
): Promise<Result> {
  const line = {
    operator: operator.id,
    operator_name: operator.email,
    action,
    target_kind: target.kind,
    target: target.id,
    reason,
    details,
  };
  const act = (actionId: string) => {
    log.info({ operator: operator.id, action, target, actionId }, 'operator');
    return run(actionId);
  };
  return inAuditLog(db, line, act, {
    onUnwritten: (failure, actionId) =>
      log.error({ err: failure, actionId }, "the end of an operator's action was not logged"),
  });
}
