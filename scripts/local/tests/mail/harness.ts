/** Shared by the mail tests: a server with its control endpoint, its client, and nodemailer connected to it. */
import { createTransport } from 'nodemailer';
import { test as base } from 'vitest';
import { type Behaviour, createMailClient, type MailClient } from '../../mail/control-client.ts';
import { type MailServer, type MailServerOptions, startMailServer } from '../../mail/server.ts';

export type { Behaviour };

export interface TestMail {
  to: string;
  subject: string;
  text: string;
  html: string;
}

export interface Transport {
  /** Sends one mail in one attempt. @throws nodemailer's error, with the SMTP reply as `responseCode` */
  send(mail: TestMail): Promise<{ messageId: string }>;
  close(): void;
}

/** A running server and what talks to it. */
export interface TestServer {
  server: MailServer;
  client: MailClient;
  transport: Transport;
  close(): Promise<void>;
}

const sender = 'Packshot <hello@packshot.example>';

/** Starts a server on free ports. */
export async function startTestServer(options: MailServerOptions = {}): Promise<TestServer> {
  const server = await startMailServer({ control: true, ...options });
  const transport = openTransport(server.url);
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
export const testWithServer = base
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern which fixtures this one needs
  .extend('started', { scope: 'file' }, async ({}, { onCleanup }) => {
    const started = await startTestServer();
    onCleanup(() => started.close());
    return started;
  })
  .extend('subject', async ({ started }) => {
    await started.client.behave({ behaviour: 'ok' });
    await started.client.clear();
    return started;
  });

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
