import { listMails, sendMail } from './api.ts';
import { triesText } from './outbox-line.tsx';
import { OutboxSection } from './outbox-section.tsx';

/** Mails that were not accepted. */
export function Mails() {
  return (
    <OutboxSection
      id="mails"
      title="Mails that failed"
      lead={(list) => list && waitingText(list.waiting)}
      read={listMails}
      itemsOf={({ failed }) => failed}
      none="None. All mails that were tried arrived."
      entryOf={({ to, subject, createdAt, attempts, failure, nextTryAt }, dates) => ({
        title: subject,
        facts: [to, dates.dateTime(createdAt), triesText(attempts, nextTryAt, ', given up', dates)],
        failure,
      })}
      repeat={{
        name: 'Send again',
        isPossible: ({ canSendAgain }) => canSendAgain,
        title: 'Send the mail again',
        describe: ({ subject, to }) => `“${subject}” to ${to}. Links in it may have expired.`,
        run: sendMail,
        done: 'The mail is being sent.',
      }}
    />
  );
}

function waitingText(count: number): string {
  if (count === 0) return 'No mails are waiting to be sent.';
  return count === 1 ? '1 mail is waiting to be sent.' : `${count} mails are waiting to be sent.`;
}
