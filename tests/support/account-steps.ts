/** What a person does with an account in a browser, step by step. */
import type { Page } from 'playwright-core';
import { testPassword } from './seller.ts';
import type { TestStack } from './stack.ts';

/** The dialog that is open. */
export const dialog = (page: Page) => page.getByRole('dialog');
/** A password field by its whole label; a button beside it has the label in its own. */
export const password = (page: Page, label = 'Password') => page.getByLabel(label, { exact: true });
/** Waits for a page by its heading. */
export const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();

/** Fills in the sign-up form and sends it. */
export async function signUp(stack: TestStack, page: Page, email: string, plan = 'freelance'): Promise<void> {
  await page.goto(`${stack.url}/signup?plan=${plan}`);
  await page.getByLabel('Full name').fill('Ana Müller');
  await page.getByLabel('Email').fill(email);
  await password(page).fill(testPassword);
  await password(page, 'Confirm password').fill(testPassword);
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Create Secure Account' }).click();
  await heading(page, 'Check your email');
  await page.getByText(email).waitFor();
}

/** Sends the sign-in form; what comes of it is the test's. */
export async function trySignIn(
  stack: TestStack,
  page: Page,
  email: string,
  given = testPassword,
): Promise<void> {
  await page.goto(`${stack.url}/login`);
  await page.getByLabel('Email').fill(email);
  await password(page).fill(given);
  await page.getByRole('button', { name: 'Sign In' }).click();
}

/** Signs in; the dashboard is open then. */
export async function signIn(stack: TestStack, page: Page, email: string, given?: string): Promise<void> {
  await trySignIn(stack, page, email, given);
  await page.waitForURL('**/dashboard');
  await page.getByLabel('Scene description').waitFor();
}

/** Opens the profile at one of its parts. */
export async function openProfile(stack: TestStack, page: Page, part: string): Promise<void> {
  await page.goto(`${stack.url}/profile#${part}`);
  await page.getByText('Where you are signed in').waitFor();
}
