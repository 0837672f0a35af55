/** A seller of one run: an account with a plan, a session and a window. */
import type { PlanId } from '#contract';
import { pay } from '#scripts/start/seller.ts';
import type { Billing } from '#shared/billing/client.ts';
import type { Db } from '#shared/data/db.ts';
import { openAccount } from '#tests/campaigns/support/accounts.ts';
import type { ProxiedStack } from '#tests/campaigns/support/stack.ts';
import type { Submission } from '../invariants.ts';
import { SellerClient } from './client.ts';

export interface ChaosSeller {
  id: string;
  plan: PlanId;
  client: SellerClient;
  submissions: Submission[];
  /** Ids of batches that were started. */
  batches: string[];
  /** What the seller did, for the report of a violation. */
  log: string[];
}

export interface Stores {
  stack: ProxiedStack;
  db: Db;
  billing: Billing;
}

/** Makes a seller and opens a window. @param options paid: whether the plan is paid already; resyncs: as of the client */
export async function createChaosSeller(
  { stack, db, billing }: Stores,
  plan: PlanId,
  { paid, resyncs, firstServer }: { paid: boolean; resyncs: boolean; firstServer: number },
): Promise<ChaosSeller> {
  const { id, token } = await openAccount({ db, config: stack.config }, plan);
  if (paid) await pay({ db, billing }, id, plan);
  const urls = (['server', 'server-2'] as const).map(
    (name) => new URL(stack.hops[`sellers→${name}`].url).origin,
  );
  const client = new SellerClient({ urls, token, resyncs }, firstServer);
  return { id, plan, client, submissions: [], batches: [], log: [] };
}
