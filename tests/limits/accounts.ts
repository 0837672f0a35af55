/** Accounts for the attacks, created without the API's limits. */
import { randomUUID } from 'node:crypto';
import { makeSellers } from '#scripts/start/seller.ts';
import { hashPassword } from '#server/accounts/passwords/passwords.ts';
import { createAccount } from '#shared/data/accounts/create.ts';
import { addSupportImages } from '#shared/data/profiles/images.ts';
import type { CampaignStack } from '#tests/campaigns/support/stack.ts';
import { type Credentials, signIn } from '#tests/support/api-client.ts';

const newPassword = () => `Aa1-${randomUUID()}`;
const newEmail = (prefix: string) => `${prefix}-${randomUUID()}@packshot.example`;

/**
 * Creates accounts with a confirmed address that never paid for their plan. They share one password, which is hashed once.
 * @param prefix of their email addresses
 */
export async function createUnpaidAccounts(
  { db }: CampaignStack,
  count: number,
  prefix: string,
): Promise<Credentials[]> {
  const password = newPassword();
  const passwordHash = await hashPassword(password, 'this program');
  const accounts = Array.from({ length: count }, async () => {
    const email = newEmail(prefix);
    const account = { email, fullName: 'Test Account', passwordHash, plan: 'freelance' as const };
    await createAccount(db, { ...account, verified: true });
    return { email, password };
  });
  return Promise.all(accounts);
}

/** Signs in as a new seller without a plan, who was given images. @returns the session's token */
export async function signInWithImages(stack: CampaignStack, count: number): Promise<string> {
  const [account] = await createUnpaidAccounts(stack, 1, 'attack');
  const { user, token } = await signIn(stack.url, account!);
  const entry = { key: randomUUID(), count, period: null, at: new Date(), posted: false };
  if (count > 0) await addSupportImages(stack.db, user.id, entry);
  return token;
}

/** Creates accounts with a paid plan. @param prefix of their email addresses */
export async function createPaidAccounts(
  { config }: CampaignStack,
  count: number,
  prefix: string,
  plan: 'freelance' | 'enterprise',
): Promise<Credentials[]> {
  const accounts = Array.from({ length: count }, () => ({
    email: newEmail(prefix),
    password: newPassword(),
    fullName: 'Test Account',
    plan,
  }));
  await makeSellers({ mongodbUrl: config.mongodbUrl, stripeUrl: config.billing.apiUrl! }, accounts);
  return accounts;
}

/** Creates a seller and signs in. @param paid whether the plan was ever paid @returns the session's token */
export async function signInSeller(stack: CampaignStack, paid: boolean): Promise<string> {
  const [account] = paid
    ? await createPaidAccounts(stack, 1, 'attack', 'enterprise')
    : await createUnpaidAccounts(stack, 1, 'attack');
  return (await signIn(stack.url, account!)).token;
}
