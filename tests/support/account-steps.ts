/** Steps of browser tests that sign up, sign in and use an account. */
import type { Page } from 'playwright-core';
import { pages, paths, signedInCookie } from '#contract';
import { type Seller, testPassword } from './seller.ts';
import type { TestStack } from './stack.ts';

/** The open dialog. */
export const dialog = (page: Page) => page.getByRole('dialog');
/** A password field by its exact label; the label of its show button contains the same words. */
export const password = (page: Page, label = 'Password') => page.getByLabel(label, { exact: true });
/** Waits for a page with this heading. */
export const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();

/** Fills in and submits the sign-up form, without waiting for the result. */
export async function fillInSignUp(
  stack: TestStack,
  page: Page,
  email: string,
  plan = 'freelance',
): Promise<void> {
  await page.goto(`${stack.url}/signup?plan=${plan}`);
  await page.getByLabel('Full name').fill('Ana Müller');
  await page.getByLabel('Email').fill(email);
  await password(page).fill(testPassword);
  await password(page, 'Confirm password').fill(testPassword);
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Create Secure Account' }).click();
}

/** Signs up and waits until the mail is announced. */
export async function signUp(stack: TestStack, page: Page, email: string, plan?: string): Promise<void> {
  await fillInSignUp(stack, page, email, plan);
  await heading(page, 'Check your email');
  await page.getByText(email).waitFor();
}

/** Submits the sign-in form without waiting for the result. */
export async function trySignIn(
  stack: TestStack,
  page: Page,
  email: string,
  passwordText = testPassword,
): Promise<void> {
  await page.goto(`${stack.url}/login`);
  await page.getByLabel('Email').fill(email);
  await password(page).fill(passwordText);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
}

/** Signs in and waits for the studio. */
export async function signIn(
  stack: TestStack,
  page: Page,
  email: string,
  passwordText?: string,
): Promise<void> {
  await trySignIn(stack, page, email, passwordText);
  await page.waitForURL('**/dashboard');
  await page.getByLabel('Scene description').waitFor();
}

/** Signs in as the form does, without opening a page: the window gets the cookies. @throws Error when it is refused */
export async function startSession(stack: TestStack, page: Page, email: string): Promise<void> {
  const data = { email, password: testPassword };
  const reply = await page.context().request.post(stack.url + paths.session, { data });
  if (!reply.ok()) throw new Error(`sign-in answered ${reply.status()}: ${await reply.text()}`);
}

/** Gives a window the session that a seller has as an API client, without a request. */
export async function shareSession(stack: TestStack, page: Page, { token }: Seller): Promise<void> {
  await page.context().addCookies([
    { name: 'packshot', value: token, url: stack.url },
    { name: signedInCookie, value: '1', url: stack.url },
  ]);
}

/** Opens a page in the session that a seller has as an API client. */
export async function openAs(stack: TestStack, page: Page, seller: Seller, path: string): Promise<void> {
  await shareSession(stack, page, seller);
  await page.goto(stack.url + path);
}

/** Starts a session and opens the studio. */
export async function openDashboard(stack: TestStack, page: Page, email: string): Promise<void> {
  await startSession(stack, page, email);
  await page.goto(`${stack.url}/dashboard`);
  await page.getByLabel('Scene description').waitFor();
}

/** The sub-pages of the account settings. */
export type ProfilePage = 'profile' | 'plan' | 'usage' | 'preferences' | 'security' | 'apiKeys' | 'data';

/** Opens a sub-page of the account settings. */
export async function openProfile(stack: TestStack, page: Page, name: ProfilePage): Promise<void> {
  await page.goto(stack.url + pages[name]);
  await page.getByRole('navigation', { name: 'Account Settings' }).waitFor();
}

/** The link to a page in the newest mail to an address. @param subject part of the mail's subject */
export async function mailedLink(
  stack: TestStack,
  page: keyof typeof pages,
  to: string,
  subject: string,
): Promise<string> {
  return stack.mails.linkIn(await stack.mails.waitForMail({ to, subject }), pages[page]);
}
