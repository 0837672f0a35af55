import type { OperatorActionKind, OperatorActionView } from '#contract';

const labels: Readonly<Record<OperatorActionKind, string>> = {
  'grant-role': 'Grant the operator role',
  'revoke-role': 'Revoke the operator role',
  'show-photos': 'Show the photos',
  'retry-generation': 'Make the image again',
  'cancel-generation': 'Cancel the image',
  'release-generation': 'Release the image',
  'give-images': 'Give images',
  'take-images': 'Take images',
  'disable-account': 'Disable the account',
  'enable-account': 'Enable the account',
  'read-plan': 'Apply what Stripe says',
  'reset-unpaid-calls': 'Reset unpaid calls',
  'pause-queue': 'Pause the queue',
  'resume-queue': 'Resume the queue',
  'drain-queue': 'Drain the queue',
  'retry-failed-jobs': 'Run failed jobs again',
  'try-provider': 'Try the provider again',
  'send-mail-again': 'Send the mail again',
  'handle-event-again': 'Handle the event again',
  'call-webhook-again': 'Call the webhook again',
  'set-banner': 'Show a banner',
  'remove-banner': 'Remove the banner',
  'ask-two-factor-removal': 'Ask to remove two-factor sign-in',
  'stop-two-factor-removal': 'Keep two-factor sign-in',
  'remove-two-factor': 'Remove two-factor sign-in',
};

/** What an operator did or tried: how it ended is said beside it. */
export function actionLabel({
  action,
  newerAction,
}: Pick<OperatorActionView, 'action' | 'newerAction'>): string {
  return labels[newerAction ?? action];
}

/** How an action ended if it was not done; null if it was. */
export function outcomeLabel({ outcome }: Pick<OperatorActionView, 'outcome'>): string | null {
  if (outcome === 'done') return null;
  if (outcome === 'refused') return 'Refused';
  return outcome === 'failed' ? 'Failed' : 'Under way, or interrupted';
}
