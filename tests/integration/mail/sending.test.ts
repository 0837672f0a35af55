/** Every kind of mail, sent over SMTP to the local mail server and read back. */
import { describe, expect } from 'vitest';
import { mailSamples } from '#tests/support/mail-samples.ts';
import { createMailTransport } from '#worker/mails/transport.ts';
import { plainMail, sender, supportAddress, testWithMailServer as test } from './harness.ts';

const to = 'ada.lovelace+packshot@example.com';

describe('every mail arrives unchanged', () => {
  test.for(mailSamples)('%s', async ([name, make], { subject }) => {
    const content = make('Zoë Ångström-Łukasz 李');
    const id = `mail-${name.replace(/\W+/g, '-')}`;
    const { messageId } = await subject.transport.send({ id, to, ...content });
    const mail = await subject.client.waitForMail({ to, subject: content.subject });

    expect(mail.to).toEqual([to]);
    expect(mail.from).toBe(sender);
    expect(mail.subject).toBe(content.subject);
    expect(mail.text).toBe(content.text);
    expect(mail.html).toBe(content.html);
    expect(mail.headers['message-id']).toEqual([messageId]);
    expect(messageId).toBe(`<${id}@packshot.example>`);
    expect(mail.headers['auto-submitted']).toEqual(['auto-generated']);
    expect(mail.headers['reply-to']).toEqual([supportAddress]);
    expect(mail.headers['content-type']?.[0]).toMatch(/^multipart\/alternative/);
    for (const [link] of content.text.matchAll(/https:\/\/\S+/g)) {
      expect(subject.client.linkIn(mail, new URL(link).pathname)).toBeTruthy();
      expect(mail.html).toContain(`href="${link.replaceAll('&', '&amp;')}"`);
    }
  });
});

describe('headers cannot be injected', () => {
  test('by a line break in the subject', async ({ subject }) => {
    const injected = 'Hello\r\nBcc: everybody@example.com\r\n\r\nA body';
    await subject.transport.send(plainMail({ to, subject: injected }));
    const mail = await subject.client.waitForMail({ to });
    expect(mail.headers.bcc).toBeUndefined();
    expect(mail.to).toEqual([to]);
    expect(mail.subject).toBe('Hello Bcc: everybody@example.com A body');
    expect(mail.text).toBe('A text\n');
  });

  test('by line breaks in names and product names', async ({ subject }) => {
    for (const [name, make] of mailSamples) {
      await subject.transport.send({ id: name, to, ...make('Ada\r\nBcc: everybody@example.com\r\n\r\n') });
    }
    const mails = await subject.client.mails(to);
    expect(mails).toHaveLength(mailSamples.length);
    for (const mail of mails) expect(mail.headers.bcc).toBeUndefined();
  });

  test('by an id', async ({ subject }) => {
    const { messageId } = await subject.transport.send(
      plainMail({ to, id: 'verify:1>\r\nBcc: x@example.com' }),
    );
    const mail = await subject.client.waitForMail({ to });
    expect(mail.headers['message-id']).toEqual([messageId]);
    expect(mail.headers.bcc).toBeUndefined();
    expect(messageId).toMatch(/^<[\w=-]+@packshot\.example>$/);
  });

  test.for([
    'ada@example.com\r\nBcc: x@example.com',
    'ada@example.com, bob@example.com',
    'Ada <ada@example.com>',
    'ada@example.com>\nRCPT TO:<bob@example.com',
    'ada',
    '',
  ])('by the recipient %j, which is refused permanently', async (address, { subject }) => {
    const refused = subject.transport.send(plainMail({ to: address }));
    await expect(refused).rejects.toMatchObject({ name: 'MailError', permanent: true });
    expect(await subject.client.mails()).toEqual([]);
  });

  test('by the address for answers, which is refused permanently', async ({ subject }) => {
    const refused = subject.transport.send(
      plainMail({ to, replyTo: 'ada@example.com\r\nBcc: x@example.com' }),
    );
    await expect(refused).rejects.toMatchObject({ name: 'MailError', permanent: true });
    expect(await subject.client.mails()).toEqual([]);
  });

  test('by a sender that is not one address', ({ subject }) => {
    for (const from of ['Packshot', 'a@example.com, b@example.com', '']) {
      const options = { smtpUrl: subject.server.url, requireTls: false, from, supportAddress };
      expect(() => createMailTransport(options)).toThrow(TypeError);
    }
  });
});

test('different ids have different Message-IDs, and the same id has the same one', async ({ subject }) => {
  const ids = ['a:1', 'a=3a=1', 'a.1', 'a 1', 'a:1'];
  const messageIds: string[] = [];
  for (const id of ids) messageIds.push((await subject.transport.send(plainMail({ to, id }))).messageId);
  expect(new Set(messageIds).size).toBe(4);
  expect(messageIds[4]).toBe(messageIds[0]);
});

test('mails that can be turned off say where, with one click only if the address is https', async ({
  subject,
}) => {
  const token = `generationEnded.${'6'.repeat(24)}.${'s1gn3d-_'.repeat(6)}`;
  const address = (scheme: string) => `${scheme}://packshot.example/unsubscribe?token=${token}`;
  const headersOf = async (unsubscribe: string | null) => {
    await subject.client.clear();
    await subject.transport.send(plainMail({ to, unsubscribe }));
    const { headers } = await subject.client.waitForMail({ to });
    return [headers['list-unsubscribe'], headers['list-unsubscribe-post']];
  };
  expect(await headersOf(address('https'))).toEqual([
    [`<${address('https')}>`],
    ['List-Unsubscribe=One-Click'],
  ]);
  expect(await headersOf(address('http'))).toEqual([[`<${address('http')}>`], undefined]);
  expect(await headersOf(null)).toEqual([undefined, undefined]);
});
