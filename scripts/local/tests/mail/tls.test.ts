/** TLS and authentication, as a strict mail server has them. */
import { createTransport } from 'nodemailer';
import { expect, test } from 'vitest';
import type { MailServerOptions } from '../../mail/server.ts';
import { plainMail, startTestServer } from './harness.ts';

const account = { user: 'ada', password: 's@cret' };
const auth = { user: account.user, pass: account.password };

async function startServer(options: MailServerOptions, onTestFinished: (close: () => Promise<void>) => void) {
  const { server, client, close } = await startTestServer(options);
  onTestFinished(close);
  const { hostname: host, port, protocol } = new URL(server.url);
  /** Sends one mail with these options. @throws nodemailer's error */
  const send = async (given: object) => {
    const transport = createTransport({ host, port: Number(port), secure: protocol === 'smtps:', ...given });
    try {
      await transport.sendMail({ from: 'hello@packshot.example', ...plainMail() });
    } finally {
      transport.close();
    }
  };
  return { server, client, send, trusted: { tls: { ca: server.certificate } } };
}

test('a password is refused before STARTTLS, and taken after it', async ({ onTestFinished }) => {
  const { client, send, trusted } = await startServer({ tls: 'starttls', account }, onTestFinished);
  await expect(send({ auth, ignoreTLS: true })).rejects.toMatchObject({ responseCode: 538 });
  await expect(send({ ...trusted, ignoreTLS: true })).rejects.toMatchObject({ responseCode: 530 });
  await expect(send({ ...trusted, auth: { ...auth, pass: 'x' } })).rejects.toMatchObject({
    responseCode: 535,
  });
  expect(await client.mails()).toEqual([]);
  await send({ ...trusted, auth });
  expect(await client.mails()).toHaveLength(1);
});

test.for(['starttls', 'implicit'] as const)(
  'with TLS (%s), a client that does not know the certificate refuses it',
  async (tls, { onTestFinished }) => {
    const { server, client, send, trusted } = await startServer({ tls }, onTestFinished);
    expect(server.url).toMatch(tls === 'implicit' ? /^smtps:/ : /^smtp:/);
    await expect(send({})).rejects.toThrow(/self-signed certificate/);
    expect(await client.mails()).toEqual([]);
    await send(trusted);
    expect(await client.mails()).toHaveLength(1);
  },
);

test('without TLS, STARTTLS and passwords are refused', async ({ onTestFinished }) => {
  const { send } = await startServer({}, onTestFinished);
  await expect(send({ requireTLS: true })).rejects.toMatchObject({ code: 'ETLS', command: 'STARTTLS' });
  await expect(send({ auth })).rejects.toMatchObject({ responseCode: 538 });
  await send({});
});
