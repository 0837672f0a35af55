import { grantOperator } from '#shared/data/operators.ts';
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
