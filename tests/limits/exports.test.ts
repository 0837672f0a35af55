/** One seller asks for many exports at once, by HEAD or by GET, while another one downloads an export. */
import { once } from 'node:events';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { exportPresetIds, paths } from '#contract';
import type { CampaignStack } from '#tests/campaigns/support/stack.ts';
import { type BenchSeller, createBenchSeller } from '#tests/support/connected-seller.ts';
import { answered, below, countStatuses, type Figure, seconds, shown, testAttack } from './runner.ts';

const requests = 40;
/** Exports of the other seller that are measured each time. */
const measured = 5;
/** How much longer an export may take beside the attack: the decoders have two processes, so half of the work is lost. */
const timesLonger = 4;

for (const method of ['HEAD', 'GET'] as const) {
  testAttack(
    `${requests} exports of one seller by ${method} at once, beside the export of another`,
    (stack) => besideRequests(stack, method),
  );
}

async function besideRequests(stack: CampaignStack, method: 'HEAD' | 'GET'): Promise<Figure[]> {
  const sellers = [await createBenchSeller(stack), await createBenchSeller(stack)];
  const [attacker, other] = (await Promise.all(sellers.map((seller) => withImage(stack, seller)))) as [
    Ask,
    Ask,
  ];
  const agent = new Agent({ maxSockets: requests });
  try {
    // The first one starts the decoders.
    await timeOf(other);
    const alone = Math.max(...(await timesOf(other)));
    const statuses: Promise<number>[] = Array.from({ length: requests }, () => attacker(method, agent));
    for (const each of statuses) each.catch(() => {});
    const beside = Math.max(...(await timesOf(other)));
    agent.destroy();
    const settled = await Promise.allSettled(statuses);
    // 0 for those that were unfinished.
    const replies = settled.map((each) => (each.status === 'fulfilled' ? each.value : 0));
    return [
      shown(`longest of ${measured} exports of another seller, alone`, seconds(alone)),
      below(`the same, beside ${requests} × ${method}`, beside, timesLonger * alone, seconds),
      method === 'HEAD'
        ? answered('replies to HEAD by the end of that', replies, 404)
        : shown('replies to GET by the end of that', countStatuses(replies)),
    ];
  } finally {
    agent.destroy();
  }
}

/** Asks for an export and reads all of it. @returns the status */
type Ask = (method: 'HEAD' | 'GET', agent?: Agent) => Promise<number>;

/** Makes an image of a seller. @returns asks for an export of it in every preset */
async function withImage({ url }: CampaignStack, seller: BenchSeller): Promise<Ask> {
  const id = await seller.submit();
  await seller.succeeded(id);
  const query = new URLSearchParams({ images: id, presets: exportPresetIds.join(), format: 'png' });
  return async (method, agent) => {
    const headers = { authorization: `Bearer ${seller.token}` };
    const request = httpRequest(`${url}${paths.exports}?${query}`, { method, headers, agent });
    request.end();
    const [reply] = (await once(request, 'response')) as [IncomingMessage];
    for await (const _ of reply);
    return reply.statusCode!;
  };
}

/** @returns ms; endless if there was no file */
async function timeOf(ask: Ask): Promise<number> {
  const began = performance.now();
  const status = await ask('GET');
  return status === 200 ? performance.now() - began : Number.POSITIVE_INFINITY;
}

async function timesOf(ask: Ask): Promise<number[]> {
  const times: number[] = [];
  for (let count = 0; count < measured; count += 1) times.push(await timeOf(ask));
  return times;
}
