/** Steps of browser tests on any page, and the payment at the local Stripe. */
import type { Page } from 'playwright-core';

/** Waits until a text is shown. */
export const see = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();
/** Clicks the first button of this name. */
export const press = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name }).first().click();
/** Follows the first link of this name. */
export const follow = (page: Page, name: string | RegExp) => page.getByRole('link', { name }).first().click();

/** Pays in the checkout. @param card the name of a test card's button */
export async function pay(page: Page, card: string): Promise<void> {
  await page.waitForURL('**/c/pay/**');
  await press(page, card);
  await press(page, 'Subscribe');
}
