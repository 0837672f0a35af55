/** A long queue, with many open windows that poll their list. */

import pLimit from 'p-limit';
import { queuePriority } from '#shared/platform/priorities.ts';
import { insertQueuedGenerations } from '#tests/campaigns/support/rows.ts';
import type { CampaignStack } from '#tests/campaigns/support/stack.ts';
import { requestList, signIn } from '#tests/support/api-client.ts';
import { openSocket } from '#tests/support/connected-seller.ts';
import { limitMs, machineFactor } from '#tests/support/machine.ts';
import { cpuMs } from '#tests/support/process-usage.ts';
import { ms, quantile } from '#tests/support/statistics.ts';
import { createUnpaidAccounts } from './accounts.ts';
import { below, type Figure, shown, testAttack } from './runner.ts';

const sellers = 50;
const windowsPerSeller = 10;
const waiting = 10_000;
/** How often the web app polls while a generation is pending, in ms. */
const pollMs = 4_000;
const measuredMs = 20_000;
const unansweredMs = limitMs(60_000);
/** Every window polls at least once before measuring begins. */
const warmUpMs = 6_000;

testAttack(
  `${waiting.toLocaleString('en')} generations wait, and ${sellers * windowsPerSeller} windows watch them`,
  async (stack) => {
    // Without a worker the queue does not shrink.
    await stack.process('worker').terminate();
    const signedIn = await createSignedInSellers(stack);
    await fillQueue(stack, signedIn);
    const windows: string[] = [];
    for (const { token } of signedIn) {
      for (let index = 0; index < windowsPerSeller; index += 1) {
        const socket = await openSocket(stack.url, token);
        stack.onClose(() => socket.disconnect());
        windows.push(token);
      }
    }
    return watch(stack, windows);
  },
);

async function createSignedInSellers(stack: CampaignStack): Promise<{ id: string; token: string }[]> {
  const signedIn: { id: string; token: string }[] = [];
  for (const account of await createUnpaidAccounts(stack, sellers, 'watcher')) {
    const { user, token } = await signIn(stack.url, account);
    signedIn.push({ id: user.id, token });
  }
  return signedIn;
}

/** Inserts rows as submitting leaves them: the sellers take turns. */
async function fillQueue({ db }: CampaignStack, signedIn: readonly { id: string }[]): Promise<void> {
  const began = Date.now() - waiting;
  await insertQueuedGenerations(
    db,
    Array.from({ length: waiting }, (_, index) => ({
      profile: signedIn[index % signedIn.length]!.id,
      prompt: 'Product on Wooden Table: in the morning',
      priority: queuePriority('single', 'standard', 0, Math.floor(index / signedIn.length)),
      created_at: new Date(began + index),
    })),
  );
}

/** @param windows the token of each */
async function watch(stack: CampaignStack, windows: readonly string[]): Promise<Figure[]> {
  const server = stack.process('server');
  const times: number[] = [];
  const began = performance.now();
  const endsAt = began + warmUpMs + measuredMs;
  let cpuAtStart = 0;
  const warm = setTimeout(() => {
    cpuAtStart = cpuMs(server.pid);
  }, warmUpMs);
  await pLimit(windows.length).map(windows, async (token, index) => {
    // Polls of different windows are spread over the interval.
    for (let due = began + (index / windows.length) * pollMs; due < endsAt; ) {
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
      const requested = performance.now();
      const reply = await requestList(stack.url, token, AbortSignal.timeout(unansweredMs)).catch(
        () => undefined,
      );
      await reply?.arrayBuffer().catch(() => undefined);
      const took = performance.now() - requested;
      if (requested - began > warmUpMs) times.push(reply?.status === 200 ? took : unansweredMs);
      // Like the web app, a window does not poll again before the last reply.
      while (due < performance.now()) due += pollMs;
    }
  });
  clearTimeout(warm);
  const seconds = (performance.now() - began - warmUpMs) / 1_000;
  const cpu = (cpuMs(server.pid) - cpuAtStart) / (seconds * 10);
  return [
    shown('lists answered', `${times.length} in ${seconds.toFixed(0)} s, p50 ${ms(quantile(times, 0.5))}`),
    below('list, p99', quantile(times, 0.99), limitMs(50), ms),
    below("server's share of a core", cpu, 20 * machineFactor(), (share) => `${share.toFixed(0)} %`),
  ];
}
