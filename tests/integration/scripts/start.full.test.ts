/** `npm start` three times on the same data: each time sellers pay, renew and make images; each process dies once. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Me, paths, type SubscribeReply } from '#contract';
import { type Client, createClient, signIn } from '#scripts/demo/client.ts';
import { runningStack } from '#scripts/start/lock.ts';
import { demoSeller } from '#scripts/start/seller.ts';
import { type Stack, startStack } from '#scripts/start/stack.ts';
import { localStripeKey } from '#scripts/stripe/setup.ts';
import { hashPassword } from '#server/accounts/passwords/passwords.ts';
import { openStripe } from '#shared/billing/client.ts';
import { createAccount } from '#shared/data/accounts/create.ts';
import { connectDb } from '#shared/data/connect.ts';
import { findFreePort } from '#tests/support/free-port.ts';
import { limitMs } from '#tests/support/machine.ts';
import { demoClient, makeImage, processesWith, submitImage } from '#tests/support/running-start.ts';
import { testPassword } from '#tests/support/seller.ts';

let dataFolder: string;
let stack: Stack;
/** What the developer reads. */
let screen: string[] = [];
let port: number;

beforeAll(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'packshot-test-start-'));
  port = await findFreePort();
});
afterAll(() => rm(dataFolder, { recursive: true, force: true }));

async function start(): Promise<void> {
  screen = [];
  stack = await startStack({
    dataFolder,
    port,
    web: 'none',
    // The job of a worker that died is taken over after this time.
    settings: { WORKER_LOCK_MS: String(limitMs(6_000)) },
    report: (line) => screen.push(line),
  });
}

/** Ends the stack, of which nothing may be left. */
async function end(): Promise<void> {
  await stack.close();
  await expect.poll(() => processesWith(dataFolder)).toEqual([]);
}

const stripe = () => openStripe({ secretKey: localStripeKey, apiUrl: stack.pages.stripe! });

/** The events that the server has not accepted. */
async function refusedEvents(): Promise<string[]> {
  const { data } = await stripe().events.list({ limit: 100 });
  return data.filter((event) => event.pending_webhooks > 0).map(({ type }) => type);
}

/** A seller who has confirmed the address and not paid. */
async function newSeller() {
  const db = await connectDb(runningStack(dataFolder)!.mongodbUrl);
  const email = `${randomUUID()}@example.com`;
  const passwordHash = await hashPassword(testPassword, 'this program');
  await createAccount(db, { email, fullName: 'Ada', passwordHash, plan: 'freelance', verified: true });
  await db.close();
  return signIn(stack.url, { email, password: testPassword });
}

async function subscriptionOf(client: Client): Promise<Me['subscription']> {
  return (await client.me()).subscription;
}

async function post(address: string, fields: Record<string, string>): Promise<void> {
  const reply = await fetch(address, {
    method: 'POST',
    body: new URLSearchParams(fields),
    redirect: 'manual',
  });
  expect(reply.status).toBe(303);
}

/** A new seller pays on Stripe's page, makes an image, and renews when the clock moves. */
async function payAndRenew(): Promise<void> {
  const session = await newSeller();
  const client = createClient(stack.url, session);
  const reply = await fetch(stack.url + paths.subscribe, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${session.token}` },
    body: JSON.stringify({ planId: 'freelance' }),
  });
  const { url } = (await reply.json()) as Extract<SubscribeReply, { url: string }>;
  await post(url, {
    cardNumber: '4242424242424242',
    cardExpiry: '12 / 40',
    cardCvc: '123',
    billingName: 'Ada',
  });
  await expect.poll(() => subscriptionOf(client)).toMatchObject({ status: 'active', generationsLeft: 100 });
  expect(await makeImage(client)).toBe('succeeded');
  expect(await subscriptionOf(client)).toMatchObject({ generationsLeft: 99 });
  await post(`${stack.pages.stripe}/clock`, { step: 'month' });
  await expect.poll(() => subscriptionOf(client)).toMatchObject({ status: 'active', generationsLeft: 100 });
  await expect.poll(refusedEvents).toEqual([]);
}

/** What is kept between starts. */
async function kept(): Promise<Record<string, string>> {
  const files = ['secret', 'webhook-secret', 'queue/password'];
  return Object.fromEntries(
    await Promise.all(files.map(async (file) => [file, await readFile(join(dataFolder, file), 'utf8')])),
  );
}

describe('three starts on the same data', () => {
  let session: Awaited<ReturnType<typeof signIn>>;
  let secrets: Record<string, string>;
  afterEach(() => end());

  test('the first one: a seller pays, makes an image and renews', async () => {
    await start();
    expect(stack.isNewDemoSeller).toBe(true);
    session = await signIn(stack.url, { email: demoSeller.email, password: demoSeller.password });
    await payAndRenew();
    secrets = await kept();
    expect(secrets['webhook-secret']).toMatch(/^whsec_/);
  });

  test('the second one, at another address: the session, the secrets and all events are still accepted', async () => {
    port = await findFreePort();
    await start();
    expect(await kept()).toEqual(secrets);
    expect(stack.isNewDemoSeller).toBe(false);
    expect((await createClient(stack.url, session).me()).user.email).toBe(demoSeller.email);
    await payAndRenew();
  });

  test('the third one, with a secret that an earlier version wrote over the one of Stripe', async () => {
    await writeFile(join(dataFolder, 'webhook-secret'), `${'0'.repeat(64)}\n`);
    await start();
    await payAndRenew();
    expect((await kept())['webhook-secret']).toMatch(/^whsec_/);
  });
});

describe('each process of a start dies once', () => {
  let client: Client;
  beforeAll(async () => {
    await start();
    client = await demoClient(stack.url);
  });
  afterAll(() => stack.close());

  /** The process of this start with a name. */
  async function pidOf(name: string): Promise<number> {
    const text =
      name === 'postgres'
        ? `-D ${dataFolder}`
        : name === 'server' || name === 'worker'
          ? `${name}/main.ts`
          : `main.ts ${name} --data ${dataFolder}`;
    const found = await processesWith(text);
    const own =
      name === 'postgres'
        ? found.filter(({ command }) => /^\S*postgres /.test(command))
        : found.filter(({ parent }) => parent === process.pid);
    expect(own.map(({ command }) => command)).toHaveLength(1);
    return own[0]!.pid;
  }

  /** The ids of what people find in the stand-ins that keep data. */
  async function contents(): Promise<string[]> {
    const mails = (await (await fetch(`${stack.pages.mail}/api/mails`)).json()) as { id: number }[];
    const customers = await stripe().customers.list({ limit: 100 });
    return [...mails, ...customers.data].map(({ id }) => String(id));
  }

  test.for([
    ['mongo', 'mongo', 'was ended by SIGKILL'],
    ['queue', 'queue', 'was ended by SIGKILL'],
    ['postgres', 'queue', 'ended with code 1'],
    ['openai', 'openai', 'was ended by SIGKILL'],
    ['stripe', 'stripe', 'was ended by SIGKILL'],
    ['mail', 'mail', 'was ended by SIGKILL'],
    ['server', 'server', 'was ended by SIGKILL'],
    ['worker', 'worker', 'was ended by SIGKILL'],
  ] as const)(
    '%s: the screen says so, it runs again at its address, and an image is made',
    async ([killed, name, how]) => {
      screen = [];
      const before = await contents();
      process.kill(await pidOf(killed), 'SIGKILL');
      await expect.poll(() => screen.at(-1)).toBe(`${name} runs again`);
      expect(screen[0]).toContain(`${name} ${how}. Its log: `);
      expect(screen[0]).toContain('It is started again');
      expect(await contents()).toEqual(expect.arrayContaining(before));
      expect(await makeImage(client)).toBe('succeeded');
    },
  );

  test('an image that is under way when the worker dies is made', async () => {
    const first = await submitImage(client);
    let isRunning = false;
    const last = client.follow(first, ({ state }) => {
      isRunning ||= state === 'running';
    });
    await expect.poll(() => isRunning).toBe(true);
    process.kill(await pidOf('worker'), 'SIGKILL');
    expect((await last).state).toBe('succeeded');
  });

  test('nothing is left after its end', () => end());
});
