/** Sellers of attacks that need them without a plan, or without a window. */
import { randomUUID } from 'node:crypto';
import { paths, type SessionReply } from '#contract';
import type { BenchStack } from '#scripts/bench/stack.ts';
import { makeSellers } from '#scripts/start/seller.ts';
import { hashPassword } from '#server/accounts/passwords/passwords.ts';
import { createAccount } from '#shared/data/accounts/create.ts';
import { connectDb } from '#shared/data/connect.ts';

/** Makes a seller and signs them in. @param paid whether their plan was ever paid @returns the session's token */
export async function signInSeller({ url, config }: BenchStack, paid: boolean): Promise<string> {
  const seller = {
    email: `attack-${randomUUID()}@packshot.example`,
    password: `Aa1-${randomUUID()}`,
    fullName: 'Attacking Seller',
    plan: 'enterprise' as const,
  };
  const { mongodbUrl, billing } = config;
  if (paid) {
    await makeSellers({ mongodbUrl, stripeUrl: billing.apiUrl! }, [seller]);
  } else {
    const db = await connectDb(mongodbUrl);
    const passwordHash = await hashPassword(seller.password, 'this program');
    await createAccount(db, { ...seller, passwordHash, verified: true });
    await db.close();
  }
  const reply = await fetch(url + paths.session, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: seller.email, password: seller.password }),
  });
  if (reply.status !== 200) throw new Error(`sign-in answered ${reply.status}: ${await reply.text()}`);
  return ((await reply.json()) as SessionReply).token;
}
