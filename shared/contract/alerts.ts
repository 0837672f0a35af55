/** What operators are told of, by the section of docs/runbook.md that says what to do. */
export const alertNames = {
  'provider-breaker-open': 'The image provider refuses our calls',
  'oldest-waiting': 'An image waits for too long',
  'failure-rate': 'Too many images fail',
  'no-worker': 'No worker runs',
  'worker-gone': 'A worker is gone',
  'storage-away': 'The storage fails',
  'store-away': 'A store does not answer',
  'mails-failing': 'Mails are not accepted',
  'cost-cap-near': 'The calls of today cost nearly as much as they may',
  'cost-cap-reached': 'The calls of today cost as much as they may: images wait',
  'cost-unusual': 'Images cost far more than usual',
  'seller-refused': 'A seller is refused often',
  'audit-not-clean': 'The audit found something',
  'backup-failing': 'Backups are not made',
} as const;

export type AlertKind = keyof typeof alertNames;
export const alertKinds = Object.keys(alertNames) as [AlertKind, ...AlertKind[]];

/** What happened to an alert. */
export const alertEvents = ['began', 'reminder', 'ended'] as const;
export type AlertEvent = (typeof alertEvents)[number];

/** Where the runbook says what to do. */
export const runbookOf = (kind: AlertKind) => `docs/runbook.md#${kind}`;
