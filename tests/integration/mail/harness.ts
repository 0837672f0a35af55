/** Shared by the mail tests: the local mail server, its client, and Packshot's transport connected to it. */
import type { Behaviour } from '#local/mail/control-client.ts';
import { startSubject, testWithSubject } from '#local/tests/mail/subject.ts';
import { createMailTransport, type OutgoingMail } from '#worker/mails/transport.ts';

export type { Behaviour };

export const sender = 'Packshot <hello@packshot.example>';

export const supportAddress = 'support@packshot.example';

const connect = (smtpUrl: string) =>
  createMailTransport({ smtpUrl, requireTls: false, from: sender, supportAddress });

/** Starts a mail server on free ports. */
export const startMailSubject = () => startSubject(connect);

export const testWithMailServer = testWithSubject(connect);

/** A mail for tests, with some of its fields replaced. */
export function plainMail(replaced: Partial<OutgoingMail> = {}): OutgoingMail {
  return {
    id: 'mail-1',
    to: 'ada@example.com',
    subject: 'A subject',
    text: 'A text\n',
    html: '<p>A text</p>',
    ...replaced,
  };
}
