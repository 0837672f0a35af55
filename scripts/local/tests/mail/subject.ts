/** `test` with a mail server, for these tests and for those of Packshot's own transport. */
import { test as base } from 'vitest';
import { createMailClient, type MailClient } from '../../mail/control-client.ts';
import { type MailServer, type MailServerOptions, startMailServer } from '../../mail/server.ts';

/** A running server with its control endpoint, its client, and a transport that is connected to it. */
export interface Subject<Transport> {
  server: MailServer;
  client: MailClient;
  transport: Transport;
  /** Closes the transport, then the server. */
  close(): Promise<void>;
}

/** Starts a server on free ports. @param connect connects a transport to the URL of the server */
export async function startSubject<Transport extends { close(): void }>(
  connect: (smtpUrl: string) => Transport,
  options: MailServerOptions = {},
): Promise<Subject<Transport>> {
  const server = await startMailServer({ control: true, ...options });
  const transport = connect(server.url);
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
export function testWithSubject<Transport extends { close(): void }>(
  connect: (smtpUrl: string) => Transport,
) {
  return (
    base
      // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern which fixtures this one needs
      .extend('started', { scope: 'file' }, async ({}, { onCleanup }) => {
        const started = await startSubject(connect);
        onCleanup(() => started.close());
        return started;
      })
      .extend('subject', async ({ started }) => {
        await started.client.behave({ behaviour: 'ok' });
        await started.client.clear();
        return started;
      })
  );
}
