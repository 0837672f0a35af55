/** Mails are sent encrypted, or not at all. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { createMailClient } from '#local/mail/control-client.ts';
import { type MailServerOptions, startMailServer } from '#local/mail/server.ts';
import { newFolder } from '#tests/support/new-folder.ts';
import { createMailTransport, type MailError } from '#worker/mails/transport.ts';
import { plainMail, sender, supportAddress, testWithMailServer } from './harness.ts';

type OnTestFinished = (close: () => Promise<void>) => void;

const test = testWithMailServer;

/** Starts a mail server with an account. @returns its URL with that, and what sends one mail to it */
async function startServer(options: MailServerOptions, onTestFinished: OnTestFinished) {
  const account = { user: 'ada@shop.example', password: 's@cret' };
  const server = await startMailServer({ ...options, account });
  onTestFinished(server.close);
  const authority = join(await newFolder(), 'ca.pem');
  await writeFile(authority, server.certificate ?? '');
  const url = server.url.replace('//', '//ada%40shop.example:s%40cret@');
  return { url, trusted: `${url}?ca=${authority}`, client: createMailClient(server.pageUrl) };
}

/** Sends one mail. @throws MailError */
async function send(smtpUrl: string, requireTls: boolean): Promise<void> {
  const transport = createMailTransport({ smtpUrl, requireTls, from: sender, supportAddress });
  try {
    await transport.send(plainMail());
  } finally {
    transport.close();
  }
}

const failure = (smtpUrl: string, requireTls: boolean): Promise<MailError> =>
  send(smtpUrl, requireTls).then(
    () => Promise.reject(new Error('it was sent')),
    (error: MailError) => error,
  );

test('where TLS is required, nothing goes to a server without STARTTLS, and the error says what to set', async ({
  subject,
}) => {
  const { permanent, message } = await failure(subject.server.url, true);
  expect(permanent).toBe(false);
  expect(message).toMatch(/offers no STARTTLS, so nothing was sent: use smtps:.*ALLOW_PLAIN_SMTP=true/);
  expect(await subject.client.mails()).toEqual([]);
  await send(subject.server.url, false);
  expect(await subject.client.mails()).toHaveLength(1);
});

test.for(['starttls', 'implicit'] as const)(
  'name and password go to a server with TLS (%s) whose certificate is trusted, and to no other',
  async (tls, { onTestFinished }) => {
    const { url, trusted, client } = await startServer({ tls }, onTestFinished);
    for (const requireTls of [true, false]) {
      const { permanent, message } = await failure(url, requireTls);
      expect(permanent).toBe(false);
      expect(message).toMatch(/self-signed certificate.*name an authority of your own with \?ca=/);
    }
    expect(await client.mails()).toEqual([]);
    await send(trusted, true);
    expect(await client.mails()).toHaveLength(1);
  },
);

test('a certificate for another name is refused', async ({ onTestFinished }) => {
  const { trusted, client } = await startServer({ tls: 'implicit', host: '127.0.0.2' }, onTestFinished);
  const { message } = await failure(trusted, true);
  expect(message).toMatch(/altnames.*use the name that it is for/);
  expect(await client.mails()).toEqual([]);
});
