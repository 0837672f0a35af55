import type { Page } from 'playwright-core';
import { paths } from '#contract';
import { grantOperator } from '#shared/data/operator/operators.ts';
import { turnOnTwoFactor } from './account.ts';
import type { NewSeller, Seller } from './seller.ts';
import type { TestStack } from './stack.ts';

/** A signed-in operator: a seller with two-factor sign-in and the role. */
export async function operatorOf(stack: TestStack, details: NewSeller = {}): Promise<Seller> {
  return makeOperator(stack, await stack.seller(details));
}

/** Gives a seller two-factor sign-in and the role. @returns the seller */
export async function makeOperator(stack: TestStack, seller: Seller): Promise<Seller> {
  await turnOnTwoFactor(seller);
  if (!(await grantOperator(stack.db, seller.id))) throw new Error('the role was not granted');
  return seller;
}

/** Every operation under `/api/operator`, from the server's own document. */
export async function operatorOperations(url: string): Promise<[method: string, path: string][]> {
  const document = (await (await fetch(`${url + paths.docs}/json`)).json()) as {
    paths: Record<string, Record<string, unknown>>;
  };
  return Object.entries(document.paths)
    .filter(([path]) => path.startsWith('/api/operator'))
    .flatMap(([path, methods]) =>
      Object.keys(methods).map((method): [string, string] => [
        method.toUpperCase(),
        path.replaceAll(/\{\w+\}/g, '5f0000000000000000000000'),
      ]),
    );
}

/** Fills in the reason in an open dialog of the operator's pages, and confirms it. */
export async function confirmAction(page: Page, name: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason, for the audit log').fill('A test of the pages');
  await dialog.getByRole('button', { name, exact: true }).click();
  await dialog.waitFor({ state: 'hidden' });
}
