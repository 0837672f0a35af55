/**
 * `journey.ts --url PACKSHOT --mail MAIL_PAGE --key FILE`: creates the demo seller over HTTP as a browser would: signs up, opens
 * the link in the mail, pays on Stripe's checkout page, and makes an API key, which it writes to a file.
 */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import {
  apiKeyPaths,
  type CreateApiKey,
  type CreatedApiKey,
  type Me,
  pages,
  paths,
  type SessionReply,
  type SignUp,
} from '#contract';
import { createMailClient } from '#local/mail/control-client.ts';
import { demoSeller } from '#scripts/start/demo-sellers.ts';

/** Maximum time until Stripe's event activates the plan, in ms. */
const eventMs = 20_000;

const text = { type: 'string' } as const;
const {
  url,
  mail: mailPage,
  key: keyFile,
} = parseArgs({ options: { url: text, mail: text, key: text } }).values;
if (url === undefined || mailPage === undefined || keyFile === undefined)
  throw new Error('journey.ts --url PACKSHOT --mail MAIL_PAGE --key FILE');

const { email, password, fullName, plan } = demoSeller;
const signUp: SignUp = { email, password, fullName, plan, acceptTerms: true };
const signedUp = await post(paths.accounts, signUp);
// This cookie confirms the address without entering the password again.
const cookie = signedUp.headers
  .getSetCookie()
  .map((text) => text.split(';')[0])
  .join('; ');

const mails = createMailClient(mailPage);
const link = new URL(mails.linkIn(await mails.waitForMail({ to: email }), pages.verifyEmail));
requireThat(link.origin === url, `the mail leads to ${link.origin}, not to ${url}`);
await expectPage(link);
const verified = await post(paths.verifyEmail, { token: link.searchParams.get('token') }, { cookie });
const { token, subscription } = (await verified.json()) as SessionReply;
requireThat(subscription.status === 'inactive', `the plan is ${subscription.status} before it is paid`);
console.log(`${email} signed up and opened the link of the mail`);

const authorization = `Bearer ${token}`;
const subscribed = await post(paths.subscribe, { planId: plan }, { authorization });
const { url: checkout } = (await subscribed.json()) as { url: string };
const once = /name="once" value="([^"]+)"/.exec(await expectPage(new URL(checkout)))?.[1];
const paid = await fetch(checkout, {
  method: 'POST',
  redirect: 'manual',
  body: new URLSearchParams({
    once: once ?? '',
    cardNumber: '4242 4242 4242 4242',
    cardExpiry: `12/${(new Date().getUTCFullYear() + 3) % 100}`,
    cardCvc: '123',
    billingName: fullName,
  }),
});
const back = paid.headers.get('location');
requireThat(
  paid.status === 303 && back !== null,
  `${checkout} answered ${paid.status}: ${await paid.text()}`,
);
requireThat(new URL(back).origin === url, `Stripe leads back to ${back}, not to ${url}`);
await expectPage(new URL(back));
console.log(`paid at ${new URL(checkout).origin}`);

// Reading the account does not query Stripe, so the plan becomes active only by Stripe's event.
const until = Date.now() + eventMs;
let me = await ownAccount();
while (me.subscription.status !== 'active' && Date.now() < until) {
  await new Promise((resolve) => setTimeout(resolve, 200));
  me = await ownAccount();
}
const { status, generationsLeft } = me.subscription;
requireThat(status === 'active', `the plan is ${status} ${eventMs / 1_000} s after it was paid`);
console.log(`the plan is active: ${generationsLeft} images left`);

const wanted: CreateApiKey = {
  password,
  name: 'Check',
  scopes: ['generations:read', 'generations:write', 'usage:read'],
};
const made = await post(apiKeyPaths.apiKeys, wanted, { authorization });
await writeFile(keyFile, ((await made.json()) as CreatedApiKey).key, { mode: 0o600 });
console.log('made an API key');

async function post(path: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
  const reply = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url!, ...headers },
    body: JSON.stringify(body),
  });
  requireThat(reply.ok, `${path} answered ${reply.status}${reply.ok ? '' : `: ${await reply.text()}`}`);
  return reply;
}

async function ownAccount(): Promise<Me> {
  const reply = await fetch(url + paths.me, { headers: { authorization } });
  requireThat(reply.ok, `${paths.me} answered ${reply.status}`);
  return (await reply.json()) as Me;
}

/** @returns the page's text */
async function expectPage(address: URL): Promise<string> {
  const reply = await fetch(address, { headers: { accept: 'text/html' } });
  const text = await reply.text();
  requireThat(reply.ok && /<html/i.test(text), `${address} answered ${reply.status}: ${text}`);
  return text;
}

function requireThat(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(message);
}
