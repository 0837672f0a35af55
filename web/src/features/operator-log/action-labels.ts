import type { OperatorActionKind, OperatorActionView } from '#contract';

const labels: Readonly<Record<OperatorActionKind, string>> = {
  'grant-role': 'Made an operator',
  'revoke-role': 'No operator any more',
  'show-photos': 'Looked at the photos',
  'retry-generation': 'Made the image again',
  'cancel-generation': 'Cancelled the image',
  'release-generation': 'Released the image',
  'give-images': 'Gave images',
  'take-images': 'Took images',
  'disable-account': 'Disabled the account',
  'enable-account': 'Enabled the account',
  'read-plan': 'Read the plan at Stripe',
  'pause-queue': 'Paused the queue',
  'resume-queue': 'Resumed the queue',
  'drain-queue': 'Drained the queue',
  'retry-failed-jobs': 'Ran failed jobs again',
  'try-provider': 'Tried the provider again',
  'send-mail-again': 'Sent the mail again',
  'handle-event-again': 'Handled the event again',
  'set-banner': 'Showed a banner',
  'remove-banner': 'Removed the banner',
};

/** What an operator did. */
export function actionLabel({ action }: Pick<OperatorActionView, 'action'>): string {
  return labels[action];
}

/** How an action ended if it was not done; null if it was. */
export function outcomeLabel({ outcome }: Pick<OperatorActionView, 'outcome'>): string | null {
  if (outcome === 'done') return null;
  if (outcome === 'refused') return 'Refused';
  return outcome === 'failed' ? 'Failed' : 'Under way, or interrupted';
}
