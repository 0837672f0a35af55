/** The sellers of a load test: accounts with a paid plan, each with a session and an open window. */

import { randomUUID } from 'node:crypto';
import pLimit from 'p-limit';
import type { GenerationSet, PlanId } from '#contract';
import { pay } from '#scripts/start/seller.ts';
import type { Billing } from '#shared/billing/client.ts';
import type { Submission } from '#tests/campaigns/chaos/invariants.ts';
import { openAccount } from '#tests/campaigns/support/accounts.ts';
import type { CampaignStack } from '#tests/campaigns/support/stack.ts';
import { requestGeneration } from '#tests/support/api-client.ts';
import { samplePrompt } from '#tests/support/sample-photo.ts';
import { LoadWindow, type OnState } from './window.ts';

export interface LoadSeller {
  id: string;
  client: LoadWindow;
  submissions: Submission[];
  /** Submits one image. @throws Error when the request fails; a refusal is in `submissions` */
  submit(photo: Blob): Promise<void>;
}

interface Sources {
  stack: CampaignStack;
  billing: Billing;
}

/** Accounts that are made, and windows that are opened, at the same time. */
const atOnce = 16;
/** One seller in ten has the larger plan. */
const planOf = (index: number): PlanId => (index % 10 === 0 ? 'enterprise' : 'freelance');

/**
 * Makes sellers with a paid plan and opens a window of each, in turn at each server.
 * @param onState as of the windows
 * @param onEnded called with the id of each generation that a window shows as ended
 */
export async function openSellers(
  sources: Sources,
  count: number,
  onState: OnState,
  onEnded: (id: string) => void,
): Promise<LoadSeller[]> {
  const sellers: LoadSeller[] = [];
  await pLimit(atOnce).map(Array(count).keys(), async (index) => {
    sellers.push(await openSeller(sources, index, onState, onEnded));
  });
  return sellers;
}

async function openSeller(
  { stack, billing }: Sources,
  index: number,
  onState: OnState,
  onEnded: (id: string) => void,
): Promise<LoadSeller> {
  const { id, token } = await openAccount(stack, planOf(index));
  await pay({ db: stack.db, billing }, id, planOf(index));
  const url = stack.urls[index % stack.urls.length]!;
  const client = await LoadWindow.open(url, token, onState, onEnded);
  const submissions: Submission[] = [];
  return {
    id,
    client,
    submissions,
    async submit(photo) {
      const submission: Submission = { key: randomUUID(), images: 1, accepted: [], refused: undefined };
      submissions.push(submission);
      const form = { prompt: samplePrompt, photo, fileName: 'coffee-cup.png' };
      const response = await requestGeneration(url, token, form, submission.key);
      if (!response.ok) {
        submission.refused = `${response.status} ${await response.text()}`;
        return;
      }
      const { generations } = (await response.json()) as GenerationSet;
      submission.accepted.push(generations.map((view) => view.id));
      client.receiveReply(generations);
    },
  };
}
