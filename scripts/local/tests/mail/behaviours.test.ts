/** The behaviours of the control endpoint, as a sender sees them. */
import { expect } from 'vitest';
import { type Behaviour, plainMail, testWithServer as test } from './harness.ts';

test.for<[string, Behaviour, number | undefined]>([
  ['refuse answers 550', { behaviour: 'refuse', count: 1 }, 550],
  ['busy answers 451', { behaviour: 'busy', count: 1 }, 451],
  ['drop closes the connection without a reply', { behaviour: 'drop', count: 1 }, undefined],
])('%s, and the next mail is accepted', async ([, behaviour, responseCode], { subject }) => {
  await subject.client.behave(behaviour);
  const error = await subject.transport.send(plainMail()).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(Error);
  expect((error as { responseCode?: number }).responseCode).toBe(responseCode);
  expect(await subject.client.mails()).toEqual([]);
  await subject.transport.send(plainMail());
  expect(await subject.client.mails()).toHaveLength(1);
});

test('refuse with an address and a reply rejects only that recipient, in those words', async ({
  subject,
}) => {
  const to = 'gone@example.com';
  await subject.client.behave({ behaviour: 'refuse', to, code: 552, message: '5.2.2 Mailbox full' });
  await subject.transport.send(plainMail());
  const error = await subject.transport.send(plainMail({ to })).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ responseCode: 552, response: '552 5.2.2 Mailbox full' });
  expect(await subject.client.mails()).toHaveLength(1);
});

test('a count decreases with every mail; a behaviour without a count stays', async ({ subject }) => {
  const sendTwice = async () => [
    await subject.transport.send(plainMail()).then(
      () => 'sent',
      () => 'failed',
    ),
    await subject.transport.send(plainMail()).then(
      () => 'sent',
      () => 'failed',
    ),
  ];
  await subject.client.behave({ behaviour: 'busy', count: 1 });
  expect(await sendTwice()).toEqual(['failed', 'sent']);
  await subject.client.behave({ behaviour: 'refuse' });
  expect(await sendTwice()).toEqual(['failed', 'failed']);
});

test('slow delays the reply', async ({ subject }) => {
  await subject.client.behave({ behaviour: 'slow', ms: 400, count: 1 });
  const startedAt = performance.now();
  await subject.transport.send(plainMail());
  expect(performance.now() - startedAt).toBeGreaterThan(350);
  expect(await subject.client.mails()).toHaveLength(1);
});

test('hold replies when the next behaviour is set', async ({ subject }) => {
  await subject.client.behave({ behaviour: 'hold', count: 1 });
  // One of them is held.
  const sent = [plainMail(), plainMail()].map((mail) => subject.transport.send(mail));
  await Promise.race(sent);
  expect(await subject.client.mails()).toHaveLength(1);
  await subject.client.behave({ behaviour: 'ok' });
  await Promise.all(sent);
  expect(await subject.client.mails()).toHaveLength(2);
});

test('a mail larger than 10 MB is refused with 552', async ({ subject }) => {
  const sent = subject.transport.send(plainMail({ text: 'x'.repeat(11 * 1024 * 1024) }));
  await expect(sent).rejects.toMatchObject({ responseCode: 552 });
  expect(await subject.client.mails()).toEqual([]);
});
