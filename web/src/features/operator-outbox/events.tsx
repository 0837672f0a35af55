import { handleEvent, listEvents } from './api.ts';
import { triesText } from './outbox-line.tsx';
import { OutboxSection } from './outbox-section.tsx';

/** Events of Stripe that were not handled. */
export function Events() {
  return (
    <OutboxSection
      id="events"
      title="Stripe events that were not handled"
      lead={() => 'Each is tried again automatically.'}
      read={listEvents}
      itemsOf={({ events }) => events}
      none="None. All events were handled."
      entryOf={({ id, type, customer, receivedAt, tries, nextTryAt }, dates) => ({
        title: type,
        facts: [
          id,
          ...(customer === null ? [] : [customer]),
          dates.dateTime(receivedAt),
          triesText(tries, nextTryAt, '', dates),
        ],
        failure: null,
      })}
      repeat={{
        name: 'Handle again',
        isPossible: () => true,
        title: 'Handle the event again',
        describe: ({ type }) => `${type}: Stripe is read, and plan and balance of the seller follow from it.`,
        run: handleEvent,
        done: 'The event was handled.',
      }}
    />
  );
}
