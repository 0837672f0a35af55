/** Storing, listing and waiting for mails. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect } from 'vitest';
import { MailFolderInUse, MailStore } from '../../mail/store.ts';
import { limitMs } from '../harness.ts';
import { plainMail, startTestServer, testWithServer } from './harness.ts';

const test = testWithServer
  .extend('send', ({ subject }) => async (to: string, about: string) => {
    await subject.transport.send(plainMail({ to, subject: about }));
  })
  .extend('subjects', ({ subject }) => async (path: string) => {
    const response = await fetch(`${subject.server.pageUrl}/api/mails${path}`);
    expect(response.status).toBe(200);
    return ((await response.json()) as { subject: string }[]).map((mail) => mail.subject);
  });

describe('the list', () => {
  test('is newest first and can be filtered by recipient (case-insensitive)', async ({ send, subjects }) => {
    await send('ada@example.com', 'one');
    await send('bob@example.com', 'two');
    await send('Ada@Example.com', 'three');
    expect(await subjects('')).toEqual(['three', 'two', 'one']);
    expect(await subjects('?to=ADA@example.com')).toEqual(['three', 'one']);
    expect(await subjects('?to=da@example.com')).toEqual([]);
  });

  test.for(['?too=x', '/wait?timeoutMs=-1', '/wait?after=x'])(
    'rejects %s with an explanation',
    async (path, { subject }) => {
      const response = await fetch(`${subject.server.pageUrl}/api/mails${path}`);
      expect(response.status).toBe(400);
      expect(((await response.json()) as { error: string }).error).toMatch(/too|timeoutMs|after/);
    },
  );
});

describe('waiting', () => {
  test('resolves with the first matching mail only', async ({ subject, send }) => {
    const waiting = subject.client.waitForMail({ to: 'ada@example.com', subject: 'right' });
    await send('bob@example.com', 'right');
    await send('ada@example.com', 'wrong');
    await send('ada@example.com', 'the right one');
    expect((await waiting).subject).toBe('the right one');
  });

  test('returns the newest match, or with `after` the next one', async ({ subject, send }) => {
    const to = 'ada@example.com';
    await send(to, 'one');
    const first = await subject.client.waitForMail({ to });
    await send(to, 'two');
    await send(to, 'three');
    expect((await subject.client.waitForMail({ to })).subject).toBe('three');
    const second = await subject.client.waitForMail({ to, after: first.id });
    expect(second.subject).toBe('two');
    const third = await subject.client.waitForMail({ to, after: second.id });
    expect(third.subject).toBe('three');
    // Ids are not reused after mails were deleted.
    await subject.client.clear();
    const fourth = subject.client.waitForMail({ to, after: third.id });
    await send(to, 'four');
    expect((await fourth).subject).toBe('four');
  });

  test('times out with an error that lists the mails that arrived', async ({ subject, send }) => {
    await send('bob@example.com', 'for Bob');
    const waiting = subject.client.waitForMail({ to: 'ada@example.com', timeoutMs: limitMs(50) });
    await expect(waiting).rejects.toThrow(/no mail matched.*to bob@example\.com: for Bob/);
  });

  test('ends when the server closes', async () => {
    const other = await startTestServer();
    const waiting = other.client.waitForMail({ to: 'ada@example.com' }).then(
      () => 'a mail',
      () => 'an error',
    );
    // A mail to another address shows that the server has received the request before it closes.
    await other.transport.send(plainMail({ to: 'bob@example.com' }));
    await other.close();
    expect(await waiting).toBe('an error');
  });
});

describe('the data folder', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mail-test-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('keeps every accepted mail across a restart', async () => {
    const before = await startTestServer({ dataFolder: folder });
    await before.transport.send(plainMail({ subject: 'Kept – ä 李' }));
    const [kept] = await before.client.mails();
    await before.close();

    const after = await startTestServer({ dataFolder: folder });
    try {
      expect(await after.client.mails()).toEqual([kept]);
      await after.transport.send(plainMail({ subject: 'Next' }));
      expect((await after.client.mails()).map(({ id }) => id)).toEqual([kept!.id + 1, kept!.id]);
    } finally {
      await after.close();
    }
  });

  test('can be used by one server at a time', async () => {
    const holder = await startTestServer({ dataFolder: folder });
    try {
      await expect(startTestServer({ dataFolder: folder })).rejects.toThrow(MailFolderInUse);
    } finally {
      await holder.close();
    }
  });
});

test('only the newest 1,000 mails are kept', () => {
  const store = new MailStore(undefined);
  const parts = { from: '', text: '', html: '', headers: {} };
  for (let number = 1; number <= 1_003; number += 1) {
    store.add(['ada@example.com'], { ...parts, subject: `${number}` }, Buffer.from('x'));
  }
  const mails = store.find();
  expect(mails).toHaveLength(1_000);
  expect([mails[0]!.subject, mails.at(-1)!.subject]).toEqual(['1003', '4']);
  store.close();
});
