/** Mails that a seller can turn off with one click, in the mailbox or on the page of the link. */
import { expect } from 'vitest';
import { pages, paths } from '#contract';
import { settingThatTurnsOff } from '#shared/data/mail-kinds.ts';
import { mailTemplates } from '#shared/mail/index.ts';
import { call } from '#tests/support/account.ts';
import { makeImage } from '#tests/support/finished-images.ts';
import type { Seller } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithStack } from '#tests/support/test.ts';

const origin = 'https://packshot.example';
const test = testWithStack({ settings: { PUBLIC_URL: origin } });

const settingsOf = async (seller: Seller) => (await seller.me()).settings;

/** Makes a seller who gets a mail about an image. @returns also where the mail's headers say that such mails are turned off */
async function sellerWithMail(stack: TestStack): Promise<{ seller: Seller; address: string; text: string }> {
  const seller = await stack.seller();
  await call(seller, 'PATCH', paths.settings, { emailNotifications: true });
  await makeImage(seller);
  const { headers, text } = await stack.mails.waitForMail({ to: seller.email, subject: 'ready' });
  expect(headers['list-unsubscribe-post']).toEqual(['List-Unsubscribe=One-Click']);
  const [, address = ''] = /^<(.+)>$/.exec(headers['list-unsubscribe']![0]!) ?? [];
  expect(address).toMatch(new RegExp(`^${origin}${pages.unsubscribe}\\?token=`));
  return { seller, address: address.replace(origin, stack.url), text };
}

/** The forms in which mailboxes send their request (RFC 8058), and our page without a body. */
const oneClick = { 'List-Unsubscribe': 'One-Click' };
const multipart = new FormData();
multipart.set('List-Unsubscribe', 'One-Click');
const bodies: [what: string, body: URLSearchParams | FormData | null][] = [
  ['a form', new URLSearchParams(oneClick)],
  ['a multipart form', multipart],
  ['no body', null],
];

test.for(bodies)(
  'a POST with %s turns exactly these mails off, once and for all',
  async ([, body], { stack }) => {
    const { seller, address } = await sellerWithMail(stack);
    const other = await stack.seller();
    await call(other, 'PATCH', paths.settings, { emailNotifications: true });
    const before = await settingsOf(seller);
    for (const time of ['first', 'repeated']) {
      const reply = await fetch(address, { method: 'POST', body, redirect: 'error' });
      expect(reply.status, time).toBe(202);
      expect(await settingsOf(seller), time).toEqual({ ...before, emailNotifications: false });
    }
    expect(await settingsOf(other)).toMatchObject({ emailNotifications: true });
    await makeImage(seller);
    expect(await stack.models.mails.countDocuments({ to: seller.email, kind: 'generationEnded' })).toBe(1);
  },
);

test('opening the address changes nothing, and neither does a POST from another account or with another signature', async ({
  stack,
}) => {
  const { seller, address } = await sellerWithMail(stack);
  for (const method of ['GET', 'HEAD']) await fetch(address, { method });
  const other = await stack.seller();
  const [kind, sellerId, signature] = new URL(address).searchParams.get('token')!.split('.');
  expect(sellerId).toBe(seller.id);
  await sellerWithMail(stack);
  const forged = [
    `${kind}.${other.id}.${signature}`,
    `newSignIn.${sellerId}.${signature}`,
    `constructor.${sellerId}.${signature}`,
    `${kind}.${sellerId}.${'A'.repeat(signature!.length)}`,
    `${kind}.${sellerId}.${signature}x`,
    `${kind}.${sellerId}.`,
    `${kind}.nobody.${signature}`,
    'x',
    '',
  ];
  for (const token of forged) {
    const reply = await fetch(`${stack.url}${pages.unsubscribe}?${new URLSearchParams({ token })}`, {
      method: 'POST',
    });
    expect(reply.status, token).toBe(400);
    expect(await reply.json(), token).toMatchObject({ error: { code: 'TOKEN_INVALID' } });
  }
  expect((await fetch(stack.url + pages.unsubscribe, { method: 'POST' })).status).toBe(400);
  expect(await settingsOf(seller)).toMatchObject({ emailNotifications: true });
});

test('a link works from any site, and after other mails and a change of the settings', async ({ stack }) => {
  const { seller, address, text } = await sellerWithMail(stack);
  expect(text).toContain(`Turn them off: ${address.replace(stack.url, origin)}`);
  await call(seller, 'PATCH', paths.settings, { emailNotifications: false });
  await call(seller, 'PATCH', paths.settings, { emailNotifications: true });
  await makeImage(seller);
  const headers = { origin: 'https://mail.example', 'sec-fetch-site': 'cross-site' };
  expect((await fetch(address, { method: 'POST', headers })).status).toBe(202);
  expect(await settingsOf(seller)).toMatchObject({ emailNotifications: false });
});

test('the address is forgotten with the text, once a mail is sent', async ({ stack }) => {
  const { seller } = await sellerWithMail(stack);
  const sent = () => stack.models.mails.findOne({ to: seller.email, kind: 'generationEnded' }).lean();
  await expect.poll(async () => (await sent())?.ended_at).toBeInstanceOf(Date);
  expect(await sent()).toMatchObject({ text: null, html: null, unsubscribe: null });
});

test('only mails about images can be turned off: those about security, payments and orders always come', () => {
  const optional = Object.keys(mailTemplates).filter((kind) => settingThatTurnsOff(kind) !== undefined);
  expect(optional).toEqual(['generationEnded']);
});
