import type { OperatorActionKind } from '#contract';
import type { Db } from '#shared/data/db.ts';
import { appendOperatorAction, endOperatorAction } from '#shared/data/operator/operator-actions.ts';
import { AppError } from '#shared/platform/errors.ts';

/** Runs a step that no operator takes at that moment, with a line in their audit log. @throws what `run` throws */
export async function inAuditLog(
  db: Db,
  sellerId: string,
  line: { action: OperatorActionKind; by: string; details: string },
  run: () => Promise<void>,
): Promise<void> {
  const id = await appendOperatorAction(db, {
    operator: null,
    operator_name: line.by,
    action: line.action,
    target_kind: 'seller',
    target: sellerId,
    reason: '',
    details: line.details,
  });
  try {
    await run();
    await endOperatorAction(db, id, 'done', null);
  } catch (error) {
    const refused = error instanceof AppError && error.status < 500;
    await endOperatorAction(db, id, refused ? 'refused' : 'failed', (error as Error).message);
    throw error;
  }
}
