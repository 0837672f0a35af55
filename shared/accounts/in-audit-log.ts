import type { OperatorActionKind } from '#contract';
import type { Db } from '#shared/data/db.ts';
import {
  appendOperatorAction,
  endOperatorAction,
  type NewOperatorAction,
} from '#shared/data/operator/operator-actions.ts';
import { AppError } from '#shared/platform/errors.ts';

/** How a line is ended where that is not as usual. */
interface LineEnd {
  /** Whether an error is a refusal; else the action failed. */
  isRefusal?: (error: unknown) => boolean;
  /** Gets the error of the store when the end cannot be written after an action failed. By default that error is thrown. */
  onUnwritten?: (failure: unknown, lineId: string) => void;
}

const throwIt = (failure: unknown) => {
  throw failure;
};

/**
 * Runs something that the audit log of operators has before it begins, with how it ended afterwards; what is refused is
 * logged as well.
 * @param run gets the id of the line in the log, which is never used twice
 * @returns what `run` returns @throws what `run` throws
 */
export async function inAuditLog<Result>(
  db: Db,
  line: NewOperatorAction,
  run: (lineId: string) => Promise<Result>,
  { isRefusal = isRefusedByUs, onUnwritten = throwIt }: LineEnd = {},
): Promise<Result> {
  const id = await appendOperatorAction(db, line);
  try {
    const result = await run(id);
    await endOperatorAction(db, id, 'done', null);
    return result;
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    await endOperatorAction(db, id, isRefusal(error) ? 'refused' : 'failed', problem).catch(
      (failure: unknown) => onUnwritten(failure, id),
    );
    throw error;
  }
}

const isRefusedByUs = (error: unknown) => error instanceof AppError && error.status < 500;

/** The line of something about a seller that no signed-in operator does. @param by who or what does it instead */
export function lineWithoutOperator(
  sellerId: string,
  {
    by,
    action,
    details,
    reason = '',
  }: { by: string; action: OperatorActionKind; details: string; reason?: string },
): NewOperatorAction {
  return {
    operator: null,
    operator_name: by,
    action,
    target_kind: 'seller',
    target: sellerId,
    reason,
    details,
  };
}
