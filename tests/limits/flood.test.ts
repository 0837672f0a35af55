/** One network address that floods sign-in and sign-up while users at other addresses work. */

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import pLimit from 'p-limit';
import { paths } from '#contract';
import { countByEmailPrefix } from '#tests/campaigns/support/rows.ts';
import type { CampaignStack } from '#tests/campaigns/support/stack.ts';
import { type Credentials, requestList, requestSignIn } from '#tests/support/api-client.ts';
import { createBenchSeller } from '#tests/support/connected-seller.ts';
import { limitMs } from '#tests/support/machine.ts';
import { ms } from '#tests/support/statistics.ts';
import { createPaidAccounts } from './accounts.ts';
import { atMost, below, equal, type Figure, testAttack } from './runner.ts';

const attacker = '127.0.0.2';
const concurrency = 300;
const phaseMs = 10_000;
/** How long the other users are measured without the flood. */
const baselineMs = 5_000;
/** Pause of each attacking connection between requests: the attacker must not use up the CPU that it shares with the server. */
const pauseIntervalMs = 1_000;
/** The flood reaches the server before the others' first requests. */
const headStartIntervalMs = 500;
/** Sign-ups per hour that the server allows one network. */
const signUpsAllowed = 40;
/** Users who sign in; the server allows each five sign-ins per minute. */
const otherUsers = 10;

// The benchmarks' default stack raises the limits per network.
testAttack(
  `one address signs in, then signs up, ${concurrency} requests at a time, each for ${phaseMs / 1_000} s`,
  async (stack) => {
    const agent = new Agent({ keepAlive: true, maxSockets: concurrency, localAddress: attacker });
    const seller = await createBenchSeller(stack);
    const others = await createPaidAccounts(stack, otherUsers, 'other', 'freelance');
    try {
      const baseline = await work(stack, seller, others, baselineMs);
      const signIns = await during(
        () => post(stack, agent, paths.session, { email: newAddress(), password: 'Wrong-Horse-7' }),
        () => work(stack, seller, others, phaseMs),
      );
      const signUps = await during(
        () =>
          post(stack, agent, paths.accounts, {
            email: newAddress(),
            fullName: 'Flood',
            password: 'Wrong-Horse-7',
            plan: 'freelance',
            acceptTerms: true,
          }),
        () => work(stack, seller, others, phaseMs),
      );
      return [
        ...figuresOf('while it signs in', signIns, baseline),
        ...figuresOf('while it signs up', signUps, baseline),
        ...(await figuresOfRows(stack)),
      ];
    } finally {
      agent.destroy();
    }
  },
  { settings: { NETWORK_LIMIT_FACTOR: '1' } },
);

const newAddress = () => `flood-${randomUUID()}@packshot.example`;

/** Sends a request from the attacker's address. @returns the response's status */
async function post({ url }: CampaignStack, agent: Agent, path: string, body: object): Promise<number> {
  const text = JSON.stringify(body);
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
  const request = httpRequest(url + path, { method: 'POST', agent, headers });
  request.end(text);
  const [response] = await once(request, 'response');
  response.resume();
  await once(response, 'end');
  return response.statusCode;
}

/** Repeats the attacker's request on many connections while `work` runs. @returns the result of `work` */
async function during<Result>(attack: () => Promise<number>, work: () => Promise<Result>): Promise<Result> {
  let over = false;
  const attacks = pLimit(concurrency).map(Array(concurrency).keys(), async () => {
    while (!over) {
      await attack().catch(() => undefined);
      await wait(pauseIntervalMs);
    }
  });
  await wait(headStartIntervalMs);
  try {
    return await work();
  } finally {
    over = true;
    await attacks;
  }
}

/** Times of the other users' requests, in ms. */
interface Times {
  signIns: number[];
  lists: number[];
  submits: number[];
  /** Requests without the expected response. */
  failed: number;
}

/** For `forMs`, other users sign in twice per second; a seller requests the list five times and submits once per second. */
async function work(
  { url }: CampaignStack,
  seller: Awaited<ReturnType<typeof createBenchSeller>>,
  others: Credentials[],
  forMs: number,
): Promise<Times> {
  const times: Times = { signIns: [], lists: [], submits: [], failed: 0 };
  const timed = async (list: number[], request: () => Promise<boolean>) => {
    const began = performance.now();
    const ok = await request().catch(() => false);
    list.push(performance.now() - began);
    if (!ok) times.failed += 1;
  };
  const repeat = async (everyMs: number, step: (index: number) => Promise<void>) => {
    const all: Promise<void>[] = [];
    for (let index = 0; index < forMs / everyMs; index += 1) {
      all.push(step(index));
      await wait(everyMs);
    }
    await Promise.all(all);
  };
  await Promise.all([
    repeat(500, (index) =>
      timed(times.signIns, async () => {
        const reply = await requestSignIn(url, others[index % others.length]!);
        await reply.arrayBuffer();
        return reply.status === 200;
      }),
    ),
    repeat(200, () =>
      timed(times.lists, async () => {
        const reply = await requestList(url, seller.token);
        await reply.arrayBuffer();
        return reply.status === 200;
      }),
    ),
    repeat(1_000, () =>
      timed(times.submits, async () => {
        await seller.submit();
        return true;
      }),
    ),
  ]);
  return times;
}

function figuresOf(when: string, { signIns, lists, submits, failed }: Times, baseline: Times): Figure[] {
  const slowest = (what: string, times: number[], alone: number[]): Figure =>
    below(
      `${when}, slowest ${what} (without it ${ms(Math.max(...alone))})`,
      Math.max(...times),
      limitMs(1_000),
      ms,
    );
  return [
    slowest('sign-in of another user', signIns, baseline.signIns),
    slowest('list of a seller', lists, baseline.lists),
    slowest('submit of a seller', submits, baseline.submits),
    equal(
      `${when}, others' requests that failed, of ${signIns.length + lists.length + submits.length}`,
      failed,
      0,
    ),
  ];
}

/** Counts the rows that the flood created. */
async function figuresOfRows({ db }: CampaignStack): Promise<Figure[]> {
  const { users: accounts, mails } = await countByEmailPrefix(db, 'flood-');
  return [
    atMost('accounts that the flood created', accounts, signUpsAllowed),
    atMost('mails that the flood created', mails, signUpsAllowed),
  ];
}
