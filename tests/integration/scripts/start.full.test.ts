/** `npm start` three times on the same data, as a developer types it: each time sellers pay and make images. Each process dies once. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Agreement, type Me, type PlanId, paths, type SubscribeReply } from '#contract';
import { runningStack } from '#scripts/start/lock.ts';
import { type Client, createClient, type Session, signIn } from '#scripts/start/seller-client.ts';
import { type Stack, startStack } from '#scripts/start/stack.ts';
import { localStripeKey } from '#scripts/stripe/local-key.ts';
import { hashPassword } from '#server/accounts/passwords/passwords.ts';
import { openStripe } from '#shared/billing/client.ts';
import { createAccount } from '#shared/data/accounts/create.ts';
import { connectDb } from '#shared/data/connect.ts';
import { findFreePort } from '#tests/support/free-port.ts';
import { limitMs } from '#tests/support/machine.ts';
import {
  demoClient,
  demoSession,
  imageBySocket,
  makeImage,
  processesWith,
  submitImage,
} from '#tests/support/running-start.ts';
import { testPassword } from '#tests/support/seller.ts';
import { copyCheckout, runScript, type TypedCommand, typeCommand } from '#tests/support/typed-command.ts';

const stripeAt = (apiUrl: string) => openStripe({ secretKey: localStripeKey, apiUrl });

describe('three starts on the same data', () => {
  let checkout: string;
  let dataFolder: string;
  let start: TypedCommand;
  let url: string;
  let stripeUrl: string;
  /** The seller who pays and the demo seller: both sign in once, before the first start has ended. */
  let payer: Session;
  let demo: Session;
  let secrets: Record<string, string>;

  beforeAll(async () => {
    checkout = await copyCheckout();
    dataFolder = join(checkout, '.data');
  });
  afterAll(async () => {
    start.kill();
    await rm(checkout, { recursive: true, force: true, maxRetries: 20 });
  });

  /** Types `npm start`, each time at another address. */
  async function typeStart(): Promise<void> {
    start = typeCommand(checkout, 'start', { PORT: String(await findFreePort()) });
    await start.shows(/Packshot is ready/);
    ({ url, stripeUrl = '' } = runningStack(dataFolder)!);
    expect(start.address('Address')).toBe(url);
  }

  /** Expects that all that was paid and made adds up, and ends the command, of which nothing may be left. */
  async function auditAndEnd(): Promise<void> {
    // Those that the server has not accepted.
    const pending = async () => {
      const { data } = await stripeAt(stripeUrl).events.list({ limit: 100 });
      return data.filter((event) => event.pending_webhooks > 0).map(({ type }) => type);
    };
    await expect.poll(pending).toEqual([]);
    expect(await runScript(checkout, 'audit')).toMatch(/^audit: 2 profiles, \d+ generations, 0 findings$/);
    const { process: pid } = runningStack(dataFolder)!;
    process.kill(pid, 'SIGINT');
    expect(await start.ended()).toBe(0);
    expect(runningStack(dataFolder)).toBeUndefined();
  }

  /** A seller who has confirmed the address and not paid. */
  async function newSeller(): Promise<Session> {
    const db = await connectDb(runningStack(dataFolder)!.mongodbUrl);
    const email = `${randomUUID()}@example.com`;
    const passwordHash = await hashPassword(testPassword, 'this program');
    await createAccount(db, { email, fullName: 'Ada', passwordHash, plan: 'freelance', verified: true });
    await db.close();
    return signIn(url, { email, password: testPassword });
  }

  async function post(address: string, fields: Record<string, string>): Promise<void> {
    const reply = await fetch(address, {
      method: 'POST',
      body: new URLSearchParams(fields),
      redirect: 'manual',
    });
    expect(reply.status).toBe(303);
  }

  async function subscribe(planId: PlanId, agreed?: Agreement): Promise<SubscribeReply> {
    const reply = await fetch(url + paths.subscribe, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${payer.token}` },
      body: JSON.stringify({ planId, ...(agreed && { agreed }) }),
    });
    expect(reply.status).toBe(200);
    return (await reply.json()) as SubscribeReply;
  }

  const subscription = async (): Promise<Me['subscription']> =>
    (await createClient(url, payer).me()).subscription;

  /** What is kept between starts. */
  async function kept(): Promise<Record<string, string>> {
    const files = ['secret', 'webhook-secret', 'queue/password'];
    return Object.fromEntries(
      await Promise.all(files.map(async (file) => [file, await readFile(join(dataFolder, file), 'utf8')])),
    );
  }

  test('the first one: a seller subscribes on the page of Stripe and makes an image', async () => {
    await typeStart();
    demo = await demoSession(url);
    payer = await newSeller();
    const reply = (await subscribe('freelance')) as Extract<SubscribeReply, { url: string }>;
    await post(reply.url, {
      cardNumber: '4242424242424242',
      cardExpiry: '12 / 40',
      cardCvc: '123',
      billingName: 'Ada',
    });
    await expect.poll(subscription).toMatchObject({ status: 'active', generationsLeft: 100 });
    await imageBySocket(url, payer);
    await expect.poll(subscription).toMatchObject({ generationsLeft: 99 });
    await start.shows(/created 3 images for the demo seller/);
    secrets = await kept();
    expect(secrets['webhook-secret']).toMatch(/^whsec_/);
    await auditAndEnd();
  });

  test('the second one, at another address: sessions and secrets are the same, and the seller renews', async () => {
    await typeStart();
    expect(await kept()).toEqual(secrets);
    expect((await createClient(url, demo).me()).subscription).toMatchObject({ generationsLeft: 97 });
    expect(await subscription()).toMatchObject({ status: 'active', generationsLeft: 99 });
    await post(`${stripeUrl}/clock`, { step: 'month' });
    await expect.poll(subscription).toMatchObject({ status: 'active', generationsLeft: 100 });
    await imageBySocket(url, payer);
    await expect.poll(subscription).toMatchObject({ generationsLeft: 99 });
    await auditAndEnd();
  });

  test('the third one, with a secret that an earlier version wrote over the one of Stripe: the seller upgrades', async () => {
    await writeFile(join(dataFolder, 'webhook-secret'), `${'0'.repeat(64)}\n`);
    await typeStart();
    expect((await kept())['webhook-secret']).toMatch(/^whsec_/);
    expect(await subscription()).toMatchObject({ status: 'active', generationsLeft: 99 });
    // The difference of the prices, which is the most that it can be.
    await subscribe('enterprise', { amount: 14_900 });
    await expect.poll(subscription).toMatchObject({ status: 'active', plan: 'enterprise' });
    await imageBySocket(url, payer);
    await auditAndEnd();
  });
});

describe('each process of a start dies once', () => {
  let dataFolder: string;
  let stack: Stack;
  /** What the developer reads. */
  let screen: string[] = [];
  let client: Client;
  beforeAll(async () => {
    dataFolder = await mkdtemp(join(tmpdir(), 'packshot-test-start-'));
    stack = await startStack({
      dataFolder,
      port: await findFreePort(),
      web: 'none',
      // The job of a worker that died is taken over after this time.
      settings: { WORKER_LOCK_MS: String(limitMs(6_000)) },
      report: (line) => screen.push(line),
    });
    client = await demoClient(stack.url);
  });
  afterAll(async () => {
    await stack.close();
    await rm(dataFolder, { recursive: true, force: true });
  });

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
    const customers = await stripeAt(stack.pages.stripe!).customers.list({ limit: 100 });
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

  test('nothing is left after its end', async () => {
    await stack.close();
    await expect.poll(() => processesWith(dataFolder)).toEqual([]);
  });
});
