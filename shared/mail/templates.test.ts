/** Every mail has the same content in text and HTML, the right links, and is not broken by any name. */
import { isDeepStrictEqual } from 'node:util';
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
/** To addresses that nobody may have confirmed. */
const withoutName = [
  'verifyAddress',
  'confirmNewAddress',
  'newAddressTaken',
  'contactReceived',
  'applicationReceived',
];

test('there is a sample of every kind', () => {
  const sampled = new Set(mailSamples.map(([name]) => name.split(',')[0]));
  expect([...sampled].sort()).toEqual(Object.keys(mailTemplates).sort());
});

/** What is wrong in the samples, each with its sample. @param find gives the rules with what breaks them */
function violations(find: (sample: Sample) => [rule: string, broken: readonly unknown[]][]): string[] {
  return mailSamples.flatMap(([name, make]) =>
    find({ kind: name.split(',')[0]!, make, mail: make('Ada Lovelace') }).flatMap(([rule, broken]) =>
      broken.map((piece) => `${name}: ${rule}: ${JSON.stringify(piece)}`),
    ),
  );
}

interface Sample {
  kind: string;
  make: (fullName: string) => MailContent;
  mail: MailContent;
}

/** What is in one list and not in another, or in another order. */
const difference = (seen: readonly string[], wanted: readonly string[]) =>
  isDeepStrictEqual(seen, wanted) ? [] : [{ seen, wanted }];

test('each mail says the same in text and HTML', () => {
  const found = violations(({ mail }) => {
    const { pieces, links } = readHtml(mail.html);
    const [html, text] = [pieces.join('\n'), mail.text.replace(/\s+/g, ' ')];
    const own = [buttonFallback, ...linksOf(mail.text)];
    return [
      ['not in the HTML', wordsOf(mail.text).filter((line) => !html.includes(line))],
      [
        'not in the text',
        // A sentence followed by a link takes two lines in the text.
        pieces.filter((piece) => !own.includes(piece) && !text.includes(piece.replace(/\s+/g, ' '))),
      ],
      ['links', difference([...new Set(links)], linksOf(mail.text))],
    ];
  });
  expect(found).toEqual([]);
});

test('each mail is addressed to its reader and has a short subject', () => {
  const found = violations(({ kind, mail }) => {
    const [, greeting = ''] = /\n\n(Hello.*)\n\n/.exec(mail.text) ?? [];
    const wanted = toUs.includes(kind) ? '' : withoutName.includes(kind) ? 'Hello,' : 'Hello Ada Lovelace,';
    const [, title = ''] = /<title>(.*)<\/title>/.exec(unescapeHtml(mail.html)) ?? [];
    return [
      ['greeting', difference([greeting], [wanted])],
      ['greets us', toUs.includes(kind) ? (mail.text.match(/.*Hello.*/g) ?? []) : []],
      ['subject', /^\S.{5,70}\S$/.test(mail.subject) ? [] : [mail.subject]],
      ['title', difference([title], [mail.subject])],
    ];
  });
  expect(found).toEqual([]);
});

test('no mail loads or runs anything', () => {
  const found = violations(({ mail }) => [
    ['loads', mail.html.match(/<(img|script|link|iframe|object|form)\b|url\(|\ssrc=|@import/gi) ?? []],
  ]);
  expect(found).toEqual([]);
});

test('every button is one in Outlook too: the padding of its cell, the width of its table, and a plain link below it', () => {
  const found = violations(({ mail: { html } }) => {
    const buttons = [...html.matchAll(/<a class="button-label" href="([^"]*)"/g)];
    const whole =
      /<td class="button" align="center" bgcolor="#[\da-f]{6}" style="[^"]*mso-padding-alt:14px 26px[^"]*"><a class="button-label" href="([^"]*)" style="[^"]*padding:14px 26px;mso-padding-alt:0;[^"]*">[^<]+<\/a><\/td><\/tr><\/table>\n<p [^>]*>[^<]*<br><a class="accent" href="\1"[^>]*>\1<\/a><\/p>/g;
    const conditional = html.match(/<!--\[if mso\]>.*?<!\[endif\]-->/gs)?.join('') ?? '';
    return [
      ['not whole', buttons.length === [...html.matchAll(whole)].length ? [] : [buttons.length]],
      [
        'table for Outlook',
        [...tagsOf(conditional)].filter((tag) => /^<\/?t/.test(tag)).length === 6 ? [] : [conditional],
      ],
      ['text as a button', html.match(/<a(?! class="(?:button-label|accent)")[^>]*>/g) ?? []],
    ];
  });
  expect(found).toEqual([]);
  expect(mailSamples.filter(([, make]) => make('Ada').html.includes('button-label')).length).toBeGreaterThan(
    25,
  );
});

test('no name breaks a mail', () => {
  const found = violations(({ make, mail }) =>
    hostileNames.flatMap(([what, fullName]): [rule: string, broken: readonly unknown[]][] => {
      const { html, text, subject } = make(fullName);
      return [
        [`tags with ${what}`, difference(tagsOf(html), tagsOf(mail.html))],
        [`subject with ${what}`, subject.match(/[\r\n]/g) ?? []],
        [`links with ${what}`, difference(linksOf(text), linksOf(mail.text))],
        [
          `more or fewer lines with ${what}`,
          text.split('\n').length === mail.text.split('\n').length ? [] : [text],
        ],
        [
          `an open isolate with ${what}`,
          [subject, ...text.split('\n')].filter((line) => !isolatesAreClosed(line)),
        ],
        [`a turned direction with ${what}`, text.match(/[\u202A-\u202E\u200E\u200F]/g) ?? []],
      ];
    }),
  );
  expect(found).toEqual([]);
});

test('a name from right to left leaves the direction of a subject alone', () => {
  const ended = { fullName: '', outcome: '1 image ready.', link: 'https://packshot.example/' };
  expect(makeMail('batchEnded', { ...ended, name: 'כד (2)' }).subject).toBe(
    'Your batch is done: \u2068כד (2)\u2069',
  );
  const { subject } = makeMail('contactMessage', {
    fullName: `${'כד '.repeat(20)}(2)`,
    email: 'ada@shop.example',
    subject: 'general',
    message: 'Hi',
    at: new Date(),
    seller: null,
  });
  expect(subject).toMatch(/ from \u2068[^\u2068\u2069]{20,29}…\u2069$/);
});

/** The tags of the HTML with their attributes, without any text. */
const tagsOf = (html: string) => html.match(/<[^>]*>/g) ?? [];

function isolatesAreClosed(line: string): boolean {
  return line.match(/[\u2066-\u2068]/g)?.length === line.match(/\u2069/g)?.length;
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
        unsubscribeLink: 'https://packshot.example/unsubscribe?token=t',
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
        link: 'javascript:alert(1)',
        hours: 1,
        days: 7,
        freeImages: 0,
      }),
    ).toThrow(TypeError);
  });
});
