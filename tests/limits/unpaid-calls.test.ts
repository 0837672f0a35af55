/** Free accounts that have images made and never use one. */

import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { type GenerationSet, type GenerationView, hasEnded, limits, paths } from '#contract';
import type { CampaignStack } from '#tests/campaigns/support/stack.ts';
import { requestAs, requestGeneration } from '#tests/support/api-client.ts';
import { samplePhotoFile } from '#tests/support/sample-photo.ts';
import { signInWithImages } from './accounts.ts';
import { atMost, type Figure, testAttack } from './runner.ts';

/** Images that each account asks for, one after the other. */
const rounds = 12;
const accounts = 8;
/** Free images of an account. */
const freeImages = 3;

testAttack(
  `${accounts} free accounts of one network ask for ${rounds} images each: blank ones, and ones that they cancel before the first preview`,
  async (stack) => {
    const { images } = stack;
    const photo = new Blob([new Uint8Array(await readFile(samplePhotoFile))], { type: 'image/png' });
    const figures: Figure[] = [];
    for (const [what, count, budget] of [
      ['one account', 1, limits.unpaidCalls.withoutPlan],
      ['all accounts', accounts, limits.unpaidCalls.ofNetwork],
    ] as const) {
      await images.reset();
      const before = (await images.state()).calls.length;
      let used = 0;
      for (let account = 0; account < count; account += 1) {
        const token = await signInWithImages(stack, freeImages);
        for (let round = 0; round < rounds; round += 1) {
          const blank = round % 2 === 0;
          await images.set({ default: blank ? { kind: 'blank' } : { kind: 'hold' } });
          const response = await requestGeneration(stack.url, token, {
            prompt: `On oak ${randomUUID()}`,
            photo,
            fileName: 'cup.png',
          });
          const body = (await response.json()) as GenerationSet;
          if (response.status === 429) break;
          if (response.status !== 202) throw new Error(`submit answered ${response.status}`);
          const { id } = body.generations[0]!;
          if (!blank) {
            await images.waitFor({ waiting: 1 });
            await request(stack, token, 'POST', paths.cancelGeneration(id));
            await images.waitFor({ active: 0 });
          }
          if ((await ended(stack, token, id)).imageUsed) used += 1;
        }
      }
      // The account of the first figure belongs to the network as well.
      const allowed = count === 1 ? budget : budget - limits.unpaidCalls.withoutPlan;
      const made = (await images.state()).calls.length - before;
      const title = `${what}: calls to the image service for ${used} of ${count * freeImages} images`;
      // A blank result is tried twice.
      figures.push(atMost(title, made, allowed + 1));
    }
    return figures;
  },
  { settings: { UNPAID_CALLS_FACTOR: '1', NETWORK_LIMIT_FACTOR: '1', PROVIDER_BACKOFF_MS: '20' } },
);

async function request(
  { url }: CampaignStack,
  token: string,
  method: 'GET' | 'POST',
  path: string,
): Promise<GenerationView> {
  const response = await requestAs(url, token, method, path);
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}`);
  return (await response.json()) as GenerationView;
}

const pollIntervalMs = 50;

/** Polls until an image has ended. */
async function ended(stack: CampaignStack, token: string, id: string): Promise<GenerationView> {
  for (;;) {
    const view = await request(stack, token, 'GET', paths.generation(id));
    if (hasEnded(view.state)) return view;
    await wait(pollIntervalMs);
  }
}
