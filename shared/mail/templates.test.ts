/** Every mail has the same content in text and HTML, the right links, and is not broken by any name. */
import { describe, expect, test } from 'vitest';
import { mailSamples } from '#tests/support/mail-samples.ts';
import { type MailContent, mailTemplates, makeMail } from './index.ts';
import { buttonFallback } from './layout.ts';

/** The visible text of the HTML, one entry per piece, and its links. */
function readHtml(html: string): { pieces: string[]; links: string[] } {
  const body = html.slice(html.indexOf('<body'));
  const pieces = body
    .split(/<(?!\/?(?:span|a)\b)[^>]*>/)
    .map((piece) => unescapeHtml(piece.replace(/<[^>]*>/g, '')).trim())
    .filter((piece) => piece !== '');
  const links = [...body.matchAll(/href="([^"]*)"/g)].map(([, link]) => unescapeHtml(link!));
  return { pieces, links };
}

function unescapeHtml(html: string): string {
  return html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}

/** The lines of the text without the addresses, which HTML has in its links. */
function wordsOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) =>
      line
        .replace(/:? ?https:\/\/\S+$/, '')
        .replace(/:$/, '')
        .trim(),
    )
    .filter((line) => line !== '' && line !== '--');
}

function linksOf(text: string): string[] {
  return text.match(/https:\/\/\S+/g) ?? [];
}

const hostileNames: readonly (readonly [string, string])[] = [
  ['a script', '<script>alert(1)</script>'],
  ['quotes', `" onmouseover="alert(1)' x='`],
  ['an entity', '&lt;b&gt; &amp;'],
  ['line breaks', 'Ada\r\nBcc: everybody@example.com\r\n\r\n<p>More'],
  ['other line breaks', 'Ada\u2028Bcc: x\u2029y\u0085z'],
  ['fifty characters', 'Ä'.repeat(50)],
  ['fifty wide characters', '𝕎'.repeat(50)],
  ['Hebrew', 'עדה לאבלייס'],
  ['a turned direction', 'Ada\u202Egnp.exe'],
  ['an open isolate', 'Ada \u2067Love'],
];

/** Mails to us, and mails whose reader's name is not known. */
const toUs = ['contactMessage', 'application', 'alert'];
const withoutName = ['newAddressTaken', 'contactReceived', 'applicationReceived'];

test('there is a sample of every kind', () => {
  const sampled = new Set(mailSamples.map(([name]) => name.split(',')[0]));
  expect([...sampled].sort()).toEqual(Object.keys(mailTemplates).sort());
  expect(sampled.size).toBe(24);
});

describe.each(mailSamples)('%s', (name, make) => {
  const mail = make('Ada Lovelace');

  test('says the same in text and HTML', () => {
    const { pieces, links } = readHtml(mail.html);
    const seen = pieces.join('\n');
    for (const line of wordsOf(mail.text)) expect(seen).toContain(line);
    const text = mail.text.replace(/\s+/g, ' ');
    for (const piece of pieces) {
      if (piece === buttonFallback || linksOf(mail.text).includes(piece)) continue;
      // A sentence followed by a link takes two lines in the text.
      expect(text).toContain(piece.replace(/\s+/g, ' '));
    }
    expect([...new Set(links)]).toEqual(linksOf(mail.text));
  });

  test('is addressed to its reader and has a short subject', () => {
    const [kind] = name.split(',') as [string];
    if (toUs.includes(kind)) expect(mail.text).not.toContain('Hello');
    else {
      const greeting = withoutName.includes(kind) ? 'Hello,' : 'Hello Ada Lovelace,';
      expect(mail.text).toContain(`\n\n${greeting}\n\n`);
    }
    expect(mail.subject).toMatch(/^\S.{5,70}\S$/);
    expect(unescapeHtml(mail.html)).toContain(`<title>${mail.subject}</title>`);
  });

  test('loads nothing and runs nothing', () => {
    expect(mail.html).not.toMatch(/<(img|script|link|iframe|object|form)\b|url\(|\ssrc=|@import/i);
  });

  test.each(hostileNames)('stays whole with a name of %s', (_what, fullName) => {
    const hostile = make(fullName);
    expect(skeleton(hostile)).toBe(skeleton(mail));
    expect(hostile.subject).not.toMatch(/[\r\n]/);
    expect(linksOf(hostile.text)).toEqual(linksOf(mail.text));
    // The name adds no line.
    expect(hostile.text.split('\n')).toHaveLength(mail.text.split('\n').length);
    expect(isolatesAreClosed(hostile.text)).toBe(true);
    expect(hostile.text).not.toMatch(/[\u202A-\u202E\u200E\u200F]/);
  });
});

/** The tags of the HTML with their attributes, without any text. */
function skeleton({ html }: MailContent): string {
  return (html.match(/<[^>]*>/g) ?? []).join('');
}

function isolatesAreClosed(text: string): boolean {
  return text.split('\n').every((line) => {
    const opened = line.match(/[\u2066-\u2068]/g)?.length ?? 0;
    return opened === (line.match(/\u2069/g)?.length ?? 0);
  });
}

describe('what a mail is told', () => {
  test.each<[string, MailContent, string[]]>([
    [
      'a date in words, in UTC',
      makeMail('passwordChanged', {
        fullName: 'Ada',
        at: new Date('2026-01-02T00:05:59.999Z'),
        resetLink: 'https://packshot.example/forgot-password',
      }),
      ['Changed: 2 January 2026, 00:05 UTC'],
    ],
    [
      'one hour in the singular',
      makeMail('verifyAddress', {
        fullName: 'Ada',
        link: 'https://packshot.example/verify-email',
        hours: 1,
        days: 7,
        freeImages: 1,
      }),
      ['works for 1 hour.', 'https://packshot.example/verify-email'],
    ],
    [
      'that no recovery code is left',
      makeMail('recoveryCodeUsed', {
        fullName: 'Ada',
        left: 0,
        securityLink: 'https://packshot.example/profile/security',
      }),
      ['you have no recovery codes left'],
    ],
    [
      'the new address',
      makeMail('addressChangeAsked', {
        fullName: 'Ada',
        newEmail: 'new@example.com',
        undoLink: 'https://packshot.example/undo-email',
      }),
      ['New address: new@example.com'],
    ],
    [
      'device and IP address of a sign-in',
      makeMail('newSignIn', {
        fullName: 'Ada',
        at: new Date('2026-11-21T14:05:00Z'),
        device: 'Firefox on\r\nWindows',
        address: '2001:db8::1',
        sessionsLink: 'https://packshot.example/profile/security#sessions',
      }),
      ['When: 21 November 2026, 14:05 UTC', 'Device: Firefox on Windows', 'IP address: 2001:db8::1'],
    ],
    [
      'a general reason where there is none',
      makeMail('generationEnded', {
        fullName: 'Ada',
        productName: 'Lamp <b>\r\nX-Spam: no',
        outcome: 'failed',
        link: 'https://packshot.example/studio/1',
        settingsLink: 'https://packshot.example/profile/preferences',
      }),
      ['“Lamp <b> X-Spam: no”', 'Something went wrong on our side.', "weren't charged an image"],
    ],
  ])('%s', (_what, { text, html }, expected) => {
    const seen = readHtml(html).pieces.join('\n');
    for (const words of expected) {
      expect(text).toContain(words);
      if (!words.startsWith('https://')) expect(seen).toContain(words);
    }
  });

  test('every line that a visitor wrote, indented, so that none passes for a part of the mail', () => {
    const message = 'Hi\n\n-- \nPackshot\r\nPlan: Enterprise\u2028Bcc: x\n\u202Etxt';
    const { text } = makeMail('contactMessage', {
      fullName: 'Ada',
      email: 'ada@example.com',
      subject: 'general',
      message,
      at: new Date(),
      seller: null,
    });
    expect(text.match(/^-- $/gm)).toHaveLength(1);
    expect(text.match(/^Plan:/gm)).toBeNull();
    expect(text).toContain('\n\n  Hi\n\n  --\n  Packshot\n  Plan: Enterprise Bcc: x\n  txt\n\n');
  });

  test('only addresses of the web become links', () => {
    expect(() =>
      makeMail('verifyAddress', {
        fullName: 'Ada',
        link: 'javascript:alert(1)',
        hours: 1,
        days: 7,
        freeImages: 0,
      }),
    ).toThrow(TypeError);
  });
});
