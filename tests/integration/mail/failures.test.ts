/** Errors when a mail is not accepted, permanent or temporary. */

import { type AddressInfo, createServer, type Socket } from 'node:net';
import { describe, expect } from 'vitest';
import { createMailTransport, MailError } from '#worker/mails/transport.ts';
import {
  type Behaviour,
  plainMail,
  sender,
  startMailSubject,
  supportAddress,
  testWithMailServer as test,
} from './harness.ts';

async function failure(attempt: Promise<unknown>): Promise<MailError> {
  const error = await attempt.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(MailError);
  return error as MailError;
}

describe('a mail that the server does not accept', () => {
  test.for<[string, Behaviour, boolean, number | undefined]>([
    ['refused: permanent', { behaviour: 'refuse', count: 1 }, true, 550],
    ['busy: temporary', { behaviour: 'busy', count: 1 }, false, 451],
    ['dropped: temporary', { behaviour: 'drop', count: 1 }, false, undefined],
  ])('%s', async ([, behaviour, permanent, responseCode], { subject }) => {
    await subject.client.behave(behaviour);
    const error = await failure(subject.transport.send(plainMail()));
    expect(error.permanent).toBe(permanent);
    expect(error.responseCode).toBe(responseCode);
    expect(await subject.client.mails()).toEqual([]);
    // The behaviour applied to one attempt: the next mail is accepted, with the same Message-ID.
    const { messageId } = await subject.transport.send(plainMail());
    expect((await subject.client.mails()).map(({ headers }) => headers['message-id'])).toEqual([[messageId]]);
  });

  test('larger than 10 MB: permanent', async ({ subject }) => {
    const error = await failure(subject.transport.send(plainMail({ text: 'x'.repeat(11 * 1024 * 1024) })));
    expect(error.permanent).toBe(true);
    expect(await subject.client.mails()).toEqual([]);
  });
});

describe('a server', () => {
  test('that is unreachable: temporary', async () => {
    const closed = await startMailSubject();
    await closed.server.close();
    expect((await failure(closed.transport.verify())).permanent).toBe(false);
    expect((await failure(closed.transport.send(plainMail()))).permanent).toBe(false);
    closed.transport.close();
  });

  test.each([
    ['greets with a refusal', ['554 Not today']],
    [
      'requires credentials that are not configured',
      ['220 hi', '250 hi', '530 5.7.0 Authentication required'],
    ],
    ['refuses the sender address', ['220 hi', '250 hi', '550 5.7.1 Sender not allowed']],
    ['closes the connection at once', []],
    ['closes the connection in the middle of a mail', ['220 hi', '250 hi', '250 ok', '250 ok', '354 go']],
  ])('that %s: temporary', async (_what, replies) => {
    const server = await serveReplies(replies);
    const transport = createMailTransport({
      smtpUrl: server.url,
      requireTls: false,
      from: sender,
      supportAddress,
    });
    try {
      expect((await failure(transport.send(plainMail()))).permanent).toBe(false);
      // One attempt only: the caller decides when to retry.
      expect(server.connections()).toBe(1);
    } finally {
      transport.close();
      await server.close();
    }
  });
});

/** A server that answers each line with the next reply, whatever the line says, and then closes the connection. */
async function serveReplies(
  replies: readonly string[],
): Promise<{ url: string; connections(): number; close(): Promise<void> }> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    const [greeting, ...others] = replies;
    if (greeting === undefined) socket.destroy();
    else socket.write(`${greeting}\r\n`);
    socket.on('error', () => {});
    socket.on('data', () => {
      const reply = others.shift();
      if (reply === undefined) socket.end();
      else socket.write(`${reply}\r\n`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => sockets.length,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
