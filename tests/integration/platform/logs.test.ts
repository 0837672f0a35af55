/** What servers and workers log: a line for each request and each image, and nobody's email address, network address or token. */
import { randomBytes, randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { apiKeyPaths, type Contact, type CreatedApiKey, operatorPaths, paths, v1Paths } from '#contract';
import { enqueueMail } from '#shared/mail/outbox.ts';
import { call } from '#tests/support/account.ts';
import { callWithKey } from '#tests/support/api-keys.ts';
import { eventually } from '#tests/support/harness.ts';
import { collectLog, type LogLine, startProgram } from '#tests/support/program.ts';
import { testPassword } from '#tests/support/seller.ts';
import { testWithStack } from '#tests/support/test.ts';
import { createVisitor, newAddress, signUpForm, tokenFromMail } from '#tests/support/visitor.ts';

const secret = randomBytes(32).toString('hex');
const network = '203.0.113.77';
const test = testWithStack({ workers: 0 });

test('requests, mails, images and failures are logged without addresses of people and without secrets', async ({
  stack,
  onTestFinished,
}) => {
  const [server, worker] = [collectLog(), collectLog()];
  let written = '';
  const into = (log: typeof server) => (text: string) => {
    written += text;
    log.add(text);
  };
  const settings = {
    ...stack.settings,
    LOG_LEVEL: 'info',
    TRUSTED_PROXIES: '1',
    MAIL_WEBHOOK_SECRET: secret,
    UPKEEP_INTERVAL_MS: '1000',
    PORT: '0',
  } as const;
  const programs = await Promise.all([
    startProgram('server', settings, into(server)),
    startProgram('worker', settings, into(worker)),
  ]);
  onTestFinished(async () => void (await Promise.all(programs.map((program) => program.kill()))));
  const url = programs[0].url!;
  const visitor = createVisitor(url);
  const from = { 'x-forwarded-for': network };
  const post = (path: string, body: object, headers = {}) =>
    visitor.post(path, body, { ...from, ...headers });
  const get = (path: string) => visitor.request(path, { headers: from });
  const until = (log: typeof server, matches: (line: LogLine) => boolean) =>
    expect.poll(() => log.lines.some(matches), eventually).toBe(true);

  // Sign-up and sign-in.
  const form = signUpForm({ email: `ana.mueller+${randomUUID()}@shop.example` });
  expect((await post(paths.accounts, form)).status).toBe(202);
  const { token } = await tokenFromMail(stack, form.email, 'verifyEmail');
  const secretToken = encodeURIComponent(token);
  await fetch(`${url}/verify-email?token=${secretToken}&email=${encodeURIComponent(form.email)}`, {
    headers: from,
  });
  expect((await post(paths.verifyEmail, { token })).status).toBe(200);
  const signIn = { email: form.email, password: 'Wrong-Horse-7' };
  expect((await post(paths.session, signIn)).status).toBe(401);
  expect((await post(paths.session, { ...signIn, password: testPassword })).status).toBe(200);
  await get(`${operatorPaths.sellers}?q=${form.email}`);

  // An API key, right, wrong, and where it does not belong.
  const keyed = await stack.seller({ url });
  const make = { name: 'Shop import', password: testPassword, scopes: ['usage:read'] };
  const { body: newKey } = await call<CreatedApiKey>(keyed, 'POST', apiKeyPaths.apiKeys, make);
  const { key } = newKey;
  expect((await callWithKey(url, key, 'GET', v1Paths.balance)).status).toBe(200);
  for (const wrong of [`${key.slice(0, -1)}x`, `${key}0`]) {
    expect((await callWithKey(url, wrong, 'GET', v1Paths.balance)).status).toBe(401);
  }
  await get(`${v1Paths.balance}?api_key=${key}&x=${key}`);
  await get(`/api/v1/${key}/balance`);

  // The contact form, and a path that Fastify refuses before it routes.
  const message: Contact = {
    name: 'Ada Lovelace',
    email: newAddress(),
    subject: 'support',
    message: 'The shadow of my lamp is on the wrong side.',
  };
  expect((await post(paths.contact, message)).status).toBe(202);
  await get('/api/%');
  await get('/healthz');
  await get('/readyz');

  // Mails that are refused for now and for good, with the recipient in the answer, and one that comes back later.
  const enqueue = (to: string) =>
    enqueueMail(stack.db, stack.server.context.relay, 'accountDeleted', to, { fullName: 'Ada' });
  const sellers = await Promise.all(Array.from({ length: 3 }, () => stack.seller({ url })));
  const [busy, dead, back] = sellers.map(({ email }) => email) as [string, string, string];
  const refuse = (to: string, code: number, text: string) =>
    stack.mails.behave({ behaviour: 'refuse', to, code, message: `${text} <${to}>: recipient ${to}` });
  await refuse(busy, 451, '4.2.1');
  await enqueue(busy);
  await until(worker, ({ msg }) => msg === 'a mail is tried again later');
  await refuse(dead, 550, '5.1.1');
  await enqueue(dead);
  await until(worker, ({ msg }) => msg === 'a mail was given up');
  await until(worker, ({ msg }) => msg === 'mail to a seller comes back');
  await stack.mails.behave({ behaviour: 'ok' });
  const reports = [
    { type: 'bounce', address: back, permanent: true, reason: `550 5.1.1 <${back}> is unknown` },
  ];
  const reported = await post(paths.mailWebhook, { reports }, { authorization: `Bearer ${secret}` });
  expect(reported).toMatchObject({ status: 200, body: { recorded: 1 } });

  // An image that is made, and one that fails with words that name the seller.
  const [seller] = sellers as [(typeof sellers)[number]];
  const window = await seller.openWindow();
  onTestFinished(() => window.close());
  const made = await seller.submit();
  await window.untilEnded(made.id);
  await stack.images.set({
    behaviours: [
      {
        kind: 'error',
        status: 400,
        code: 'moderation_blocked',
        type: 'image_generation_user_error',
        message: `${seller.email} is refused`,
      },
    ],
  });
  const refused = await seller.submit();
  await window.untilEnded(refused.id);
  // What a browser reports of itself, for a reply that is an error.
  expect(
    (await call(seller, 'GET', `${paths.generation(refused.id)}?email=${seller.email}`)).status,
  ).toBeLessThan(500);

  const imageLines = () => worker.lines.filter(({ msg }) => msg === 'image');
  await expect.poll(() => imageLines().length, eventually).toBe(2);
  const ofImage = {
    level: 'info',
    seller: seller.id,
    provider: 'local',
    model: stack.config.image.model,
    size: expect.stringMatching(/^\d+x\d+$/),
    quality: 'high',
    durationMs: expect.any(Number),
    attempts: 1,
  };
  expect(imageLines()).toEqual([
    expect.objectContaining({ ...ofImage, generation: made.id, outcome: 'succeeded' }),
    expect.objectContaining({
      ...ofImage,
      generation: refused.id,
      outcome: 'failed',
      code: 'CONTENT_REFUSED',
    }),
  ]);

  const requests = server.lines.filter(({ msg }) => msg === 'request');
  const of = (method: string, path: string) =>
    requests.filter((line) => line.method === method && String(line.url).split('?')[0] === path);
  expect(of('POST', paths.accounts)).toEqual([
    expect.objectContaining({
      url: paths.accounts,
      status: 202,
      durationMs: expect.any(Number),
      level: 'info',
    }),
  ]);
  expect(of('POST', paths.session).map(({ status }) => status)).toEqual([401, 200]);
  expect(of('GET', '/verify-email').map(({ url: shown }) => shown)).toEqual([
    '/verify-email?token=[redacted]&email=[redacted]',
  ]);
  expect(of('GET', operatorPaths.sellers)).toHaveLength(1);
  expect(of('GET', '/api/%')).toEqual([expect.objectContaining({ status: 404 })]);
  expect(requests.filter(({ url: shown }) => /^\/(?:healthz|readyz|assets)/.test(String(shown)))).toEqual([]);

  for (const line of [...server.lines, ...worker.lines]) {
    expect(line.level).toMatch(/^(?:info|warn|error|fatal)$/);
    expect(line.time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  }
  const addresses = [form, message, ...sellers].map(({ email }) => email);
  for (const given of [...addresses, network, token, secretToken, secret, testPassword, key.slice(8, -1)]) {
    expect(written).not.toContain(given);
  }
  expect(written.match(/[^\s"<>]+(?:@|%40)[\w-]+\.\w+/gi) ?? []).toEqual([]);
  expect(written).toContain('[address]');
});
