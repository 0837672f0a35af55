import type { Page } from 'playwright-core';
import { grantOperator } from '#shared/data/operator/operators.ts';
import { turnOnTwoFactor } from './account.ts';
import type { NewSeller, Seller } from './seller.ts';
import type { TestStack } from './stack.ts';

/** A signed-in operator: a seller with two-factor sign-in and the role. */
export async function operatorOf(stack: TestStack, details: NewSeller = {}): Promise<Seller> {
  const seller = await stack.seller(details);
  await turnOnTwoFactor(seller);
  if (!(await grantOperator(stack.db, seller.id))) throw new Error('the role was not granted');
  return seller;
}

/** Fills in the reason in an open dialog of the operator's pages, and confirms it. */
export async function confirmAction(page: Page, name: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason, for the audit log').fill('A test of the pages');
  await dialog.getByRole('button', { name, exact: true }).click();
  await dialog.waitFor({ state: 'hidden' });
}
