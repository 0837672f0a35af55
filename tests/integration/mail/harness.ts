/** Shared by the mail tests: the local mail server, its client, and Packshot's transport connected to it. */
import { test as base } from 'vitest';
import { type Behaviour, createMailClient, type MailClient } from '#local/mail/control-client.ts';
import { type MailServer, startMailServer } from '#local/mail/server.ts';
import { createMailTransport, type MailTransport, type OutgoingMail } from '#worker/mails/transport.ts';

export type { Behaviour };

export interface Subject {
  server: MailServer;
  client: MailClient;
  transport: MailTransport;
  /** Closes the transport, then the server. */
  close(): Promise<void>;
}

export const sender = 'Packshot <hello@packshot.example>';

/** Starts a mail server on free ports. */
export async function startSubject(): Promise<Subject> {
  const server = await startMailServer({ control: true });
  const transport = createMailTransport({ smtpUrl: server.url, from: sender });
  return {
    server,
    client: createMailClient(server.pageUrl),
    transport,
    async close() {
      transport.close();
      await server.close();
    },
  };
}

/** `test` with the fixture `subject`: one server for the file, which each test finds without mails and behaviours. */
export const testWithSubject = base
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern which fixtures this one needs
  .extend('started', { scope: 'file' }, async ({}, { onCleanup }) => {
    const started = await startSubject();
    onCleanup(() => started.close());
    return started;
  })
  .extend('subject', async ({ started }) => {
    await started.client.behave({ behaviour: 'ok' });
    await started.client.clear();
    return started;
  });

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
