/** Shared by the mail tests: a server with its control endpoint, its client, and nodemailer connected to it. */
import { createTransport } from 'nodemailer';
import type { Behaviour } from '../../mail/control-client.ts';
import type { MailServerOptions } from '../../mail/server.ts';
import { startSubject, testWithSubject } from './subject.ts';

export type { Behaviour };

export interface TestMail {
  to: string;
  subject: string;
  text: string;
  html: string;
  attachments?: { filename: string; contentType: string; content: Buffer }[];
}

export interface Transport {
  /** Sends one mail in one attempt. @throws nodemailer's error, with the SMTP reply as `responseCode` */
  send(mail: TestMail): Promise<{ messageId: string }>;
  close(): void;
}

const sender = 'Packshot <hello@packshot.example>';

/** Starts a server on free ports. */
export const startTestServer = (options?: MailServerOptions) => startSubject(openTransport, options);

export const testWithServer = testWithSubject(openTransport);

/** Connects nodemailer to a server; it does not retry. */
export function openTransport(smtpUrl: string): Transport {
  const transport = createTransport({ url: smtpUrl, pool: true, maxRequeues: 0 });
  return {
    async send(mail) {
      const { messageId } = await transport.sendMail({ from: sender, ...mail });
      return { messageId };
    },
    close: () => transport.close(),
  };
}

/** A mail for tests, with some of its fields replaced. */
export function plainMail(replaced: Partial<TestMail> = {}): TestMail {
  return {
    to: 'ada@example.com',
    subject: 'A subject',
    text: 'A text\n',
    html: '<p>A text</p>',
    ...replaced,
  };
}
