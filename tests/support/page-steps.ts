/** Steps of browser tests on any page, and those at the local Stripe. */
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

/** Cancels the plan in the portal, from the page of the plan, and comes back to it. @param plan its name */
export async function cancelPlan(page: Page, plan: string): Promise<void> {
  await press(page, 'Manage Billing');
  await page.waitForURL('**/p/session/**');
  await follow(page, 'Cancel plan');
  await press(page, 'Cancel plan');
  await see(page, 'Cancels on');
  await follow(page, 'Return to Packshot');
  await page.waitForURL('**/profile/plan**');
  await see(page, `Resume ${plan}`);
}

/** What the filled buttons and links of a page say that are shown: the next step, so there is one. */
export async function filledButtons(page: Page): Promise<string[]> {
  const filled = page.locator('main .bg-accent:is(button, a)').filter({ visible: true });
  return (await filled.allTextContents()).map((text) => text.trim());
}
