import { OperatorHeading } from '#web/ui/operator-heading.tsx';
import { Events } from './events.tsx';
import { Mails } from './mails.tsx';
import { WebhookCalls } from './webhook-calls.tsx';

/** Mails, events of Stripe and calls of the alert webhook that failed. */
export function OutboxPage() {
  return (
    <>
      <OperatorHeading>Mails and webhooks</OperatorHeading>
      <Mails />
      <Events />
      <WebhookCalls />
    </>
  );
}
