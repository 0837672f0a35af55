import type { OperatorActionView } from '#contract';
import type { OperatorActionRow } from '#shared/data/operator-actions.ts';

/** A line of the audit log, as operators see it. */
export function presentOperatorAction(row: OperatorActionRow): OperatorActionView {
  const { _id: id, at, operator_name: operator, action, reason, details, outcome, problem } = row;
  const target = { kind: row.target_kind, id: row.target };
  return { id, at: at.toISOString(), operator, action, target, reason, details, outcome, problem };
}
