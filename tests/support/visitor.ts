/** An HTTP client that keeps cookies like a browser, and steps of sign-up. */
import { randomUUID } from 'node:crypto';
import { pages, paths, type SignUp } from '#contract';
import { connectionOf } from '#shared/data/collection.ts';
import type { Db } from '#shared/data/db.ts';
import { type Answer, testPassword } from './seller.ts';
import type { TestStack } from './stack.ts';

/** An HTTP client with a cookie jar. */
export interface Visitor {
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer<unknown>>;
  request(path: string, init?: RequestInit): Promise<Answer<unknown>>;
}

/** Makes a visitor without cookies. */
export function createVisitor(url: string, userAgent = 'node'): Visitor {
  const cookies = new Map<string, { value: string; path: string }>();
  const visitor: Visitor = {
    async request(path, init = {}) {
      const headers = new Headers(init.headers);
      headers.set('user-agent', userAgent);
      const sent = [...cookies].filter(([, cookie]) => path.startsWith(cookie.path));
      if (sent.length > 0)
        headers.set('cookie', sent.map(([name, { value }]) => `${name}=${value}`).join('; '));
      const reply = await fetch(url + path, { ...init, headers });
      for (const text of reply.headers.getSetCookie()) {
        const [pair, ...attributes] = text.split(/; ?/);
        const [name, value] = [pair!.slice(0, pair!.indexOf('=')), pair!.slice(pair!.indexOf('=') + 1)];
        const cookiePath = attributes.find((each) => each.startsWith('Path='))!.slice('Path='.length);
        if (attributes.includes('Max-Age=0')) cookies.delete(name);
        else cookies.set(name, { value, path: cookiePath });
      }
      const text = await reply.text();
      return { status: reply.status, headers: reply.headers, body: text === '' ? '' : JSON.parse(text) };
    },
    post: (path, body, headers = {}) =>
      visitor.request(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }),
  };
  return visitor;
}

export const newAddress = () => `seller-${randomUUID()}@shop.example`;

/** A valid sign-up form with a new address. @param changed fields that differ */
export function signUpForm(changed: Partial<SignUp> = {}): SignUp {
  return {
    email: newAddress(),
    fullName: 'Test Seller',
    password: testPassword,
    plan: 'freelance',
    acceptTerms: true,
    ...changed,
  };
}

/** Part of the subject of each mail whose link leads to a page. */
const linkMailSubjects = {
  verifyEmail: 'Confirm your email',
  resetPassword: 'Choose a new password',
  unlock: 'Too many wrong passwords',
  confirmEmail: 'Confirm your new email',
  undoEmail: 'address was changed',
  keepTwoFactor: 'will be turned off',
  confirmReachable: 'reaches you',
} as const;

/**
 * Waits for the newest mail with a link to a page.
 * @param after id of a mail; waits for the first one after it instead
 * @param subject part of the subject, where the page has links in several mails
 * @returns the token in the link, and the id of the mail
 */
export async function tokenFromMail(
  stack: TestStack,
  to: string,
  page: keyof typeof linkMailSubjects,
  after?: number,
  subject: string = linkMailSubjects[page],
): Promise<{ token: string; mail: number }> {
  const mail = await stack.mails.waitForMail({ to, subject, after });
  const token = new URL(stack.mails.linkIn(mail, pages[page])).searchParams.get('token');
  return { token: token!, mail: mail.id };
}

/** Signs up and uses the link in the mail in the same browser. @returns the reply to the link */
export async function signUpAndVerify(
  stack: TestStack,
  visitor: Visitor,
  form: SignUp,
): Promise<Answer<unknown>> {
  const answer = await visitor.post(paths.accounts, form);
  if (answer.status !== 202) throw new Error(`sign-up answered ${answer.status}`);
  const { token } = await tokenFromMail(stack, form.email, 'verifyEmail');
  return visitor.post(paths.verifyEmail, { token });
}

/** Resets the rate limit of sign-in attempts, as if its window had passed. */
export async function resetSignInLimit(db: Db): Promise<void> {
  await connectionOf(db).collection('sign_in_attempts').deleteMany({});
}

/** Resets the rate limits of requested mails, as if their windows had passed. */
export async function resetMailLimit(db: Db): Promise<void> {
  for (const name of ['mails_asked', 'mails_asked_by_network']) {
    await connectionOf(db).collection(name).deleteMany({});
  }
}

/** The median. Unlike the mean it is not affected by single slow measurements. */
export function median(values: number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)]!;
}
