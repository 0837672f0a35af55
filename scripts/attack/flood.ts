/** One address that signs in and signs up as often as it can, while people at others work. */

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { paths } from '#contract';
import { createBenchSeller } from '#scripts/bench/seller.ts';
import type { BenchStack } from '#scripts/bench/stack.ts';
import { inParallel, ms } from '#scripts/bench/statistics.ts';
import { makeSellers } from '#scripts/start/seller.ts';
import { connectDb } from '#shared/data/connect.ts';
import type { Db } from '#shared/data/db.ts';
import { countByEmailPrefix } from '#shared/data/load-tests.ts';
import type { Attack, Figure } from './attack.ts';

const attacker = '127.0.0.2';
const atOnce = 300;
const phaseMs = 10_000;
/** How long others are measured without it. */
const quietMs = 5_000;
/** Between two requests of one of the three hundred: attacker and server share a machine here, and it is the server's. */
const pauseMs = 1_000;
/** Sign-ups that one network may make in an hour. */
const signUpsAllowed = 40;
/** People who sign in: each may do so five times a minute. */
const people = 10;

export const flood: Attack = {
  name: 'flood',
  title: `one address signs in, then signs up, ${atOnce} times at once, each for ${phaseMs / 1_000} s`,
  // The benchmarks' own stack lets one address do what it wants.
  stack: { settings: { NETWORK_LIMIT_FACTOR: '1' } },
  async run(stack) {
    const db = await connectDb(stack.config.mongodbUrl);
    const agent = new Agent({ keepAlive: true, maxSockets: atOnce, localAddress: attacker });
    const seller = await createBenchSeller(stack);
    const strangers = await makeStrangers(stack);
    try {
      const quiet = await work(stack, seller, strangers, quietMs);
      const signIns = await during(
        () => post(stack, agent, paths.session, { email: newAddress(), password: 'Wrong-Horse-7' }),
        () => work(stack, seller, strangers, phaseMs),
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
        () => work(stack, seller, strangers, phaseMs),
      );
      return [
        ...figuresOf('while it signs in', signIns, quiet),
        ...figuresOf('while it signs up', signUps, quiet),
        ...(await whatItMade(db)),
      ];
    } finally {
      seller.close();
      agent.destroy();
      await db.close();
    }
  },
};

const newAddress = () => `flood-${randomUUID()}@packshot.example`;

interface Stranger {
  email: string;
  password: string;
}

async function makeStrangers({ config }: BenchStack): Promise<Stranger[]> {
  const strangers = Array.from({ length: people }, () => ({
    email: `stranger-${randomUUID()}@packshot.example`,
    password: `Aa1-${randomUUID()}`,
    fullName: 'A Stranger',
    plan: 'freelance' as const,
  }));
  await makeSellers({ mongodbUrl: config.mongodbUrl, stripeUrl: config.billing.apiUrl! }, strangers);
  return strangers;
}

/** Sends a request from the attacker's address and reads its answer. @returns its status */
async function post({ url }: BenchStack, agent: Agent, path: string, body: object): Promise<number> {
  const text = JSON.stringify(body);
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
  const request = httpRequest(url + path, { method: 'POST', agent, headers });
  request.end(text);
  const [response] = await once(request, 'response');
  response.resume();
  await once(response, 'end');
  return response.statusCode;
}

/** Lets the attacker repeat a request, so many at once, while others work. @returns what the others' work gave */
async function during<Result>(attack: () => Promise<number>, others: () => Promise<Result>): Promise<Result> {
  let over = false;
  const attacks = inParallel(atOnce, atOnce, async () => {
    while (!over) {
      await attack().catch(() => undefined);
      await wait(pauseMs);
    }
  });
  // The first of the flood is with the server before anybody else comes.
  await wait(500);
  try {
    return await others();
  } finally {
    over = true;
    await attacks;
  }
}

/** What others' requests took, in ms. */
interface Times {
  signIns: number[];
  lists: number[];
  submits: number[];
  /** Requests that were not answered as they should be. */
  refused: number;
}

/** A stranger signs in twice a second; a seller lists five times a second and submits every second. */
async function work(
  { url }: BenchStack,
  seller: Awaited<ReturnType<typeof createBenchSeller>>,
  strangers: Stranger[],
  forMs: number,
): Promise<Times> {
  const times: Times = { signIns: [], lists: [], submits: [], refused: 0 };
  const timed = async (list: number[], request: () => Promise<boolean>) => {
    const began = performance.now();
    const fine = await request().catch(() => false);
    list.push(performance.now() - began);
    if (!fine) times.refused += 1;
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
        const { email, password } = strangers[index % strangers.length]!;
        const reply = await fetch(url + paths.session, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ email, password }),
        });
        await reply.arrayBuffer();
        return reply.status === 200;
      }),
    ),
    repeat(200, () =>
      timed(times.lists, async () => {
        const reply = await fetch(url + paths.generations, {
          headers: { authorization: `Bearer ${seller.token}` },
        });
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

function figuresOf(when: string, { signIns, lists, submits, refused }: Times, quiet: Times): Figure[] {
  const slowest = (what: string, times: number[], alone: number[]): Figure => {
    const most = Math.max(...times);
    return {
      what: `${when}, slowest ${what}`,
      asked: '< 1 s',
      measured: `${ms(most)}, without it ${ms(Math.max(...alone))}`,
      held: most < 1_000,
    };
  };
  return [
    slowest("sign-in of others'", signIns, quiet.signIns),
    slowest("list of a seller's", lists, quiet.lists),
    slowest("submit of a seller's", submits, quiet.submits),
    {
      what: `${when}, others' requests that were refused`,
      asked: '0',
      measured: `${refused} of ${signIns.length + lists.length + submits.length}`,
      held: refused === 0,
    },
  ];
}

/** What the flood left behind. */
async function whatItMade(db: Db): Promise<Figure[]> {
  const { users: accounts, mails } = await countByEmailPrefix(db, 'flood-');
  const most = (what: string, count: number): Figure => ({
    what: `${what} that it made`,
    asked: `at most ${signUpsAllowed}`,
    measured: String(count),
    held: count <= signUpsAllowed,
  });
  return [most('accounts', accounts), most('mails', mails)];
}
