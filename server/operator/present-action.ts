import type { OperatorActionKind, OperatorActionView } from '#contract';
import type { OperatorActionRow } from '#shared/data/operator/operator-actions.ts';

/** Kinds that the pages of the release before do not know, and refuse (docs/decisions/0081-releases.md). */
const newerKinds: readonly OperatorActionKind[] = [
  'ask-two-factor-removal',
  'stop-two-factor-removal',
  'remove-two-factor',
  'export-data',
  'plan-deletion',
  'stop-deletion',
  'delete-account',
  'set-daily-limit',
  'add-note',
];

/** A line of the audit log, as operators see it. */
export function presentOperatorAction(row: OperatorActionRow): OperatorActionView {
  const { _id: id, at, operator_name: operator, reason, details, outcome, problem } = row;
  const target = { kind: row.target_kind, id: row.target };
  const action = newerKinds.includes(row.action)
    ? { action: 'enable-account' as const, newerAction: row.action }
    : { action: row.action };
  return { id, at: at.toISOString(), operator, ...action, target, reason, details, outcome, problem };
}
