import type { FastifyRequest } from 'fastify';
import type { OperatorActionKind, OperatorTarget } from '#contract';
import type { ServerContext } from '#server/http/context.ts';
import { appendOperatorAction, endOperatorAction } from '#shared/data/operator/operator-actions.ts';
import { AppError } from '#shared/platform/errors.ts';

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
  const id = await appendOperatorAction(db, {
    operator: operator.id,
    operator_name: operator.email,
    action,
    target_kind: target.kind,
    target: target.id,
    reason,
    details,
  });
  log.info({ operator: operator.id, action, target, actionId: id }, 'operator');
  try {
    const result = await run(id);
    await endOperatorAction(db, id, 'done', null);
    return result;
  } catch (error) {
    const refused = error instanceof AppError && error.status < 500;
    const problem = error instanceof Error ? error.message : String(error);
    await endOperatorAction(db, id, refused ? 'refused' : 'failed', problem).catch((failure: unknown) =>
      log.error({ err: failure, actionId: id }, "the end of an operator's action was not logged"),
    );
    throw error;
  }
}
