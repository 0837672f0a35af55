/** What the mail contract tests share: a service with its control, a client of it, and a transport that sends to it. */
import { type Behaviour, createMailClient, type MailClient } from '#scripts/local/mail/control-client.ts';
import { type MailServer, type MailServerOptions, startMailServer } from '#scripts/local/mail/server.ts';
import { createMailTransport, type MailTransport, type OutgoingMail } from '#worker/mails/transport.ts';

export type { Behaviour };

/** A started service with what speaks to it. */
export interface Subject {
  server: MailServer;
  client: MailClient;
  transport: MailTransport;
  /** Ends the transport, then the service. */
  close(): Promise<void>;
}

export const sender = 'Packshot <hello@packshot.example>';

/** Starts a service on free ports. */
export async function startSubject(options: MailServerOptions = {}): Promise<Subject> {
  const server = await startMailServer({ control: true, ...options });
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

/** A plain mail; a test replaces what it is about. */
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
