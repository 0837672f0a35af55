/** Sellers who submit images all the time, through nginx, and keep a window open. */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { type GenerationSet, paths } from '#contract';
import { pay } from '#scripts/start/seller.ts';
import type { Billing } from '#shared/billing/client.ts';
import type { Db } from '#shared/data/db.ts';
import type { Submission } from '#tests/campaigns/chaos/invariants.ts';
import { SellerClient } from '#tests/campaigns/chaos/sellers/client.ts';
import { openAccount } from '#tests/campaigns/support/accounts.ts';
import type { RolloutStack } from './stack.ts';

interface RolloutSeller {
  id: string;
  client: SellerClient;
  submissions: Submission[];
}

/** What happened to the requests of all sellers since it was taken last. */
interface Counts {
  accepted: number;
  /** Requests that were not answered, or with a status of 500 or more, and were sent again under the same key. */
  sentAgain: Record<string, number>;
  /** Requests that were refused for good. */
  refused: number;
}

export interface Work {
  sellers: readonly RolloutSeller[];
  take(): Counts;
  /** Ends it. Resolves when the last requests are answered. */
  end(): Promise<void>;
}

/** The time between two submissions of a seller, and before one is sent again, in ms. */
const [pauseMs, againMs] = [3_000, 500];

/**
 * Has sellers submit until it is ended.
 * @param photos what they send, by turns
 */
export async function beginWork(
  { stack, db, billing }: { stack: RolloutStack; db: Db; billing: Billing },
  count: number,
  photos: readonly Blob[],
): Promise<Work> {
  const sellers: RolloutSeller[] = [];
  for (let index = 0; index < count; index += 1) {
    const { id, token } = await openAccount({ db, config: stack.config }, 'enterprise');
    await pay({ db, billing }, id, 'enterprise');
    const client = new SellerClient({ urls: [stack.url], token, resyncs: true }, 0);
    sellers.push({ id, client, submissions: [] });
  }
  let counts: Counts = { accepted: 0, sentAgain: {}, refused: 0 };
  let ended = false;
  let turn = 0;

  async function submit({ client, submissions }: RolloutSeller): Promise<void> {
    const submission: Submission = { key: randomUUID(), images: 1, accepted: [], refused: undefined };
    submissions.push(submission);
    const photo = photos[turn % photos.length]!;
    turn += 1;
    for (;;) {
      const form = new FormData();
      form.set('prompt', 'On a wooden table');
      form.set('images', photo, 'photo');
      const headers = { 'idempotency-key': submission.key };
      const reply = await client
        .request<GenerationSet>(paths.generations, { method: 'POST', headers, body: form })
        .catch((error: Error) => (error.cause as Error | undefined)?.message ?? error.message);
      if (typeof reply === 'object' && reply.status < 500) {
        if (reply.status !== 202) {
          submission.refused = reply.code ?? String(reply.status);
          counts.refused += 1;
          return;
        }
        const { generations } = reply.body;
        for (const view of generations) client.view.receive(view);
        submission.accepted.push(generations.map(({ id }) => id));
        counts.accepted += 1;
        return;
      }
      const why = typeof reply === 'object' ? String(reply.status) : reply;
      counts.sentAgain[why] = (counts.sentAgain[why] ?? 0) + 1;
      await wait(againMs);
    }
  }

  const working = sellers.map(async (seller) => {
    while (!ended) {
      await submit(seller);
      await wait(pauseMs);
    }
  });
  return {
    sellers,
    take() {
      const taken = counts;
      counts = { accepted: 0, sentAgain: {}, refused: 0 };
      return taken;
    },
    async end() {
      ended = true;
      await Promise.all(working);
    },
  };
}
