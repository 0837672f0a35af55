import { callWebhook, listWebhookCalls } from './api.ts';
import { triesText } from './outbox-line.tsx';
import { OutboxSection } from './outbox-section.tsx';

/** Calls of the alert webhook that were not accepted. */
export function WebhookCalls() {
  return (
    <OutboxSection
      id="webhook"
      title="Alerts that the webhook did not accept"
      lead={() => 'Each is tried again for a day, then given up.'}
      read={listWebhookCalls}
      itemsOf={({ failed }) => failed}
      none="None."
      entryOf={({ title, details, createdAt, attempts, failure, nextTryAt }, dates) => ({
        title,
        details,
        facts: [dates.dateTime(createdAt), triesText(attempts, nextTryAt, ', given up', dates)],
        failure,
      })}
      repeat={{
        name: 'Call again',
        isPossible: ({ nextTryAt }) => nextTryAt === null,
        title: 'Call the webhook again',
        describe: ({ title }) => `“${title}” The receiver may get it for the second time.`,
        run: callWebhook,
        done: 'The webhook will be called within seconds.',
      }}
    />
  );
}
