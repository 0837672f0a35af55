/** The OpenAPI document has all routes and matches the server's replies. */

import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import type { z } from 'zod';
import {
  apiKeyPaths,
  errorReplySchema,
  generationListSchema,
  generationSetSchema,
  generationViewSchema,
  keepPasswordPath,
  limits,
  meSchema,
  operatorPaths,
  ownPresetPaths,
  pages,
  paths,
  sessionReplySchema,
  trashedPicture,
  usagePaths,
  v1BatchActions,
  v1BatchPaths,
  v1EventsPath,
  v1ExportPaths,
  v1LibraryPaths,
  v1McpPath,
  v1Paths,
  v1UsagePath,
  v1WebhookPaths,
  webhookPaths,
} from '#contract';
import { batchPaths } from '#contract/batch-paths.ts';
import { scopeOfRoute } from '#tests/support/api-scopes.ts';
import { contentRefused } from '#tests/support/provider-calls.ts';
import { type Seller, testPassword } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithSharedSeller } from '#tests/support/test.ts';

interface Operation {
  operationId?: string;
  summary?: string;
  tags?: string[];
  security?: object[];
  parameters?: { name: string; in: string; required?: boolean; schema: object }[];
  requestBody?: { required?: boolean; content: Record<string, Media> };
  responses: Record<string, Reply | { $ref: string }>;
}
interface Reply {
  description: string;
  content?: Record<string, Media>;
}
interface Media {
  schema: { $ref?: string; type?: string; format?: string; properties?: Record<string, object> };
  encoding?: Record<string, { contentType: string }>;
}
interface Document {
  openapi: string;
  info: { title: string; version: string };
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    securitySchemes: Record<string, unknown>;
    responses: Record<string, Reply>;
    schemas: Record<string, { properties?: { error?: { required?: string[] } } }>;
  };
}

const test = testWithSharedSeller().extend('document', { scope: 'file' }, async ({ stack }) => {
  return (await (await fetch(`${stack.url + paths.docs}/json`)).json()) as Document;
});

/** Every route of the contract, with its status on success. */
const routes: [method: string, path: string, status: string][] = [
  ['get', paths.service, '200'],
  ['post', paths.accounts, '202'],
  ['post', paths.verification, '202'],
  ['post', paths.verifyEmail, '200'],
  ['post', paths.passwordReset, '202'],
  ['post', paths.confirmPasswordReset, '204'],
  ['post', paths.unlock, '204'],
  ['post', paths.keepTwoFactor, '204'],
  ['post', paths.confirmEmail, '204'],
  ['post', paths.undoEmail, '204'],
  ['post', paths.linkAddress, '200'],
  ['post', paths.confirmReachable, '204'],
  ['post', pages.unsubscribe, '202'],
  ['post', paths.session, '200'],
  ['delete', paths.session, '204'],
  ['get', paths.sessions, '200'],
  ['delete', paths.sessions, '204'],
  ['delete', paths.oneSession('{id}'), '204'],
  ['get', paths.me, '200'],
  ['patch', paths.me, '200'],
  ['post', paths.password, '204'],
  ['post', paths.email, '202'],
  ['post', paths.emailCheck, '202'],
  ['get', paths.settings, '200'],
  ['patch', paths.settings, '200'],
  ['post', paths.twoFactor, '200'],
  ['delete', paths.twoFactor, '204'],
  ['post', paths.confirmTwoFactor, '200'],
  ['post', paths.recoveryCodes, '200'],
  ['post', paths.confirmation, '204'],
  ['post', paths.passkeySession, '200'],
  ['post', paths.passkeyChallenge, '200'],
  ['post', paths.passkeyCode, '200'],
  ['get', paths.passkeys, '200'],
  ['post', paths.passkeys, '201'],
  ['post', paths.beginPasskey, '200'],
  ['patch', paths.passkey('{id}'), '200'],
  ['delete', paths.passkey('{id}'), '204'],
  ['post', keepPasswordPath, '204'],
  ['get', paths.activity, '200'],
  ['post', paths.export, '200'],
  ['get', paths.export, '200'],
  ['post', paths.deletion, '204'],
  ['get', paths.subscription, '200'],
  ['post', paths.subscribe, '200'],
  ['post', paths.imagePacks, '200'],
  ['get', paths.planChangePreview, '200'],
  ['post', paths.portalSession, '200'],
  ['get', paths.creditEntries, '200'],
  ['get', usagePaths.usage, '200'],
  ['get', usagePaths.csv, '200'],
  ['post', paths.stripeWebhook, '200'],
  ['post', paths.mailWebhook, '200'],
  ['post', paths.contact, '202'],
  ['post', paths.applications, '202'],
  ['post', paths.generations, '202'],
  ['get', paths.generations, '200'],
  ['get', paths.generation('{id}'), '200'],
  ['patch', paths.generation('{id}'), '200'],
  ['delete', paths.generation('{id}'), '200'],
  ['post', paths.restoreGeneration('{id}'), '200'],
  ['get', paths.trash, '200'],
  ['delete', paths.trash, '200'],
  ['get', paths.trashed('{id}'), '200'],
  ['delete', paths.trashed('{id}'), '204'],
  ['get', trashedPicture('{id}'), '200'],
  ['post', paths.cancelGeneration('{id}'), '200'],
  ['post', paths.moveGeneration('{id}'), '200'],
  ['patch', paths.generationRequest('{id}'), '200'],
  ['post', paths.changes('{id}'), '202'],
  ['put', paths.edits('{id}'), '200'],
  ['post', paths.remake('{id}'), '202'],
  ['get', paths.library, '200'],
  ['get', paths.projects, '200'],
  ['post', paths.photoChecks, '200'],
  ['post', paths.startPhotoChecks, '204'],
  ['post', paths.sketches, '200'],
  ['post', paths.photoAddresses, '200'],
  ['post', paths.projects, '201'],
  ['get', paths.project('{id}'), '200'],
  ['patch', paths.project('{id}'), '200'],
  ['delete', paths.project('{id}'), '204'],
  ['post', paths.projectImages('{id}'), '200'],
  ['get', paths.looks, '200'],
  ['post', paths.looks, '201'],
  ['put', paths.look('{id}'), '200'],
  ['delete', paths.look('{id}'), '204'],
  ['post', paths.duplicateLook('{id}'), '201'],
  ['get', paths.lookPicture('{id}'), '200'],
  ['get', ownPresetPaths.ownPresets, '200'],
  ['post', ownPresetPaths.ownPresets, '201'],
  ['patch', ownPresetPaths.ownPreset('{id}'), '200'],
  ['delete', ownPresetPaths.ownPreset('{id}'), '204'],
  ['get', batchPaths.batches, '200'],
  ['post', batchPaths.batches, '201'],
  ['get', batchPaths.batch('{id}'), '200'],
  ['delete', batchPaths.batch('{id}'), '204'],
  ['get', batchPaths.batchItems('{id}'), '200'],
  ['put', batchPaths.batchPhoto('{id}', '{sha256}'), '200'],
  ['post', batchPaths.batchAction('{id}', 'start'), '200'],
  ['post', batchPaths.batchAction('{id}', 'pause'), '200'],
  ['post', batchPaths.batchAction('{id}', 'resume'), '200'],
  ['post', batchPaths.batchAction('{id}', 'cancel'), '200'],
  ['post', batchPaths.batchAction('{id}', 'retry'), '200'],
  ['post', batchPaths.batchReview('{id}'), '200'],
  ['post', batchPaths.batchAgain('{id}'), '200'],
  ['get', batchPaths.batchProducts('{id}'), '200'],
  ['get', batchPaths.batchArchive('{id}'), '200'],
  ['get', batchPaths.batchReport('{id}'), '200'],
  ['get', paths.generationImage('{id}', '{name}'), '200'],
  ['get', paths.exports, '200'],
  ['get', paths.exportFile, '200'],
  ['get', paths.exportChecks, '200'],
  ['get', paths.notifications, '200'],
  ['post', paths.readNotifications, '200'],
  ['get', operatorPaths.actions, '200'],
  ['get', operatorPaths.now, '200'],
  ['get', operatorPaths.series, '200'],
  ['post', operatorPaths.tryProvider, '200'],
  ['get', operatorPaths.costs, '200'],
  ['get', operatorPaths.queue, '200'],
  ['get', operatorPaths.mails, '200'],
  ['post', operatorPaths.sendMail('{id}'), '200'],
  ['get', operatorPaths.events, '200'],
  ['post', operatorPaths.handleEvent('{id}'), '200'],
  ['get', operatorPaths.webhookCalls, '200'],
  ['post', operatorPaths.callWebhook('{id}'), '200'],
  ['get', operatorPaths.banner, '200'],
  ['put', operatorPaths.banner, '200'],
  ['delete', operatorPaths.banner, '200'],
  ['get', operatorPaths.generations, '200'],
  ['get', operatorPaths.generation('{id}'), '200'],
  ['post', operatorPaths.generationAction('{id}', '{action}' as never), '200'],
  ['post', operatorPaths.photos('{id}'), '200'],
  ['get', operatorPaths.image('{id}', '{name}'), '200'],
  ['get', operatorPaths.sellers, '200'],
  ['get', operatorPaths.seller('{id}'), '200'],
  ['get', operatorPaths.sellerLedger('{id}'), '200'],
  ['get', operatorPaths.sellerBilling('{id}'), '200'],
  ['post', operatorPaths.sellerExport('{id}'), '200'],
  ['get', operatorPaths.sellerExport('{id}'), '200'],
  ['post', operatorPaths.sellerDeletion('{id}'), '200'],
  ['get', operatorPaths.refusals, '200'],
  ['get', operatorPaths.sellerRefusals('{id}'), '200'],
  ['get', operatorPaths.sellerNotes('{id}'), '200'],
  ['post', operatorPaths.sellerNotes('{id}'), '200'],
  ['put', operatorPaths.sellerDailyLimit('{id}'), '200'],
  ['get', operatorPaths.sellerStripe('{id}'), '200'],
  ['post', operatorPaths.sellerImages('{id}'), '200'],
  ['post', operatorPaths.sellerAction('{id}', '{action}' as never), '200'],
  ['post', operatorPaths.queueAction('{action}' as never), '200'],
  ['get', apiKeyPaths.apiKeys, '200'],
  ['post', apiKeyPaths.apiKeys, '201'],
  ['delete', apiKeyPaths.apiKey('{id}'), '204'],
  ...[webhookPaths, v1WebhookPaths].flatMap((at): [method: string, path: string, status: string][] => [
    ['get', at.webhooks, '200'],
    ['post', at.webhooks, '201'],
    ['get', at.webhook('{id}'), '200'],
    ['patch', at.webhook('{id}'), '200'],
    ['delete', at.webhook('{id}'), '204'],
    ['post', at.rotate('{id}'), '200'],
    ['post', at.test('{id}'), '202'],
    ['get', at.deliveries('{id}'), '200'],
    ['post', at.resend('{id}', '{deliveryId}'), '202'],
  ]),
  ['post', v1Paths.generations, '202'],
  ['get', v1Paths.generations, '200'],
  ['get', v1Paths.generation('{id}'), '200'],
  ['post', v1Paths.cancel('{id}'), '200'],
  ['post', v1Paths.change('{id}'), '202'],
  ['post', v1Paths.remake('{id}'), '202'],
  ['put', v1Paths.edits('{id}'), '200'],
  ['get', v1Paths.set('{id}'), '200'],
  ['get', v1Paths.image('{id}'), '200'],
  ['get', v1ExportPaths.presets, '200'],
  ['get', v1ExportPaths.file('{id}', '{preset}'), '200'],
  ['get', v1ExportPaths.check('{id}', '{preset}'), '200'],
  ['get', v1ExportPaths.zip, '200'],
  ['patch', v1Paths.generation('{id}'), '200'],
  ['delete', v1Paths.generation('{id}'), '204'],
  ['post', v1LibraryPaths.restore('{id}'), '200'],
  ['get', v1LibraryPaths.projects, '200'],
  ['post', v1LibraryPaths.projects, '201'],
  ['get', v1LibraryPaths.looks, '200'],
  ['post', v1BatchPaths.batches, '201'],
  ['get', v1BatchPaths.batches, '200'],
  ['get', v1BatchPaths.batch('{id}'), '200'],
  ['delete', v1BatchPaths.batch('{id}'), '204'],
  ['get', v1BatchPaths.rows('{id}'), '200'],
  ['get', v1BatchPaths.photos('{id}'), '200'],
  ['put', v1BatchPaths.photo('{id}', '{sha256}'), '200'],
  ...v1BatchActions.map((name): [string, string, string] => [
    'post',
    v1BatchPaths.action('{id}', name),
    '200',
  ]),
  ['post', v1BatchPaths.rows('{id}'), '200'],
  ['post', v1BatchPaths.retry('{id}'), '200'],
  ['post', v1BatchPaths.again('{id}'), '200'],
  ['post', v1BatchPaths.review('{id}'), '200'],
  ['get', v1BatchPaths.export('{id}'), '200'],
  ['get', v1BatchPaths.products('{id}'), '200'],
  ['get', v1BatchPaths.report('{id}'), '200'],
  ['get', v1EventsPath, '200'],
  ['get', v1UsagePath, '200'],
  ['post', v1McpPath, '200'],
  ['get', v1Paths.balance, '200'],
  ['get', paths.protection, '200'],
  ['get', '/healthz', '200'],
  ['get', '/readyz', '200'],
];

/** Routes that work without a session, and how many of them, the first ones, ask for a password, a passkey or a secret: 401. */
const identifying = 6;
const open: string[] = [
  paths.session,
  paths.verifyEmail,
  paths.confirmEmail,
  paths.mailWebhook,
  paths.passkeySession,
  paths.passkeyCode,
  paths.passkeyChallenge,
  paths.accounts,
  paths.verification,
  paths.passwordReset,
  paths.confirmPasswordReset,
  paths.unlock,
  paths.keepTwoFactor,
  paths.undoEmail,
  paths.confirmReachable,
  pages.unsubscribe,
  paths.linkAddress,
  paths.stripeWebhook,
  paths.contact,
  paths.applications,
  paths.sketches,
  paths.service,
  '/healthz',
  '/readyz',
];

test('the document has every route of the contract and no other', ({ document }) => {
  expect(document).toMatchObject({ openapi: '3.1.0', info: { title: 'Packshot', version: '1' } });
  const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path}`),
  );
  expect(documented.sort()).toEqual(routes.map(([method, path]) => `${method} ${path}`).sort());
});

/** Security of routes that are no seller's: of operators by their path, and of these. */
const otherSecurity: Readonly<Record<string, object[]>> = {
  [`post ${paths.stripeWebhook}`]: [{ stripeSignature: [] }],
  [`post ${paths.mailWebhook}`]: [{ mailBearer: [] }, { mailBasic: [] }],
  ...Object.fromEntries(
    [
      `post ${paths.contact}`,
      `post ${paths.passkeyChallenge}`,
      `post ${paths.passkeyCode}`,
      `delete ${paths.session}`,
    ].map((route) => [route, [{}, { cookie: [] }, { bearer: [] }]]),
  ),
};
const ofOperators = [{ operatorCookie: [] }, { operatorBearer: [] }];

function securityOf(method: string, path: string): object[] {
  const other = otherSecurity[`${method} ${path}`];
  if (other) return other;
  if (path.startsWith('/api/operator/')) return ofOperators;
  const scope = scopeOfRoute[`${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`];
  if (scope) return [{ apiKey: [scope] }];
  return open.includes(path) ? [] : [{ cookie: [] }, { bearer: [] }];
}

/** Files are bytes of a media type of their own, or parts of a form with the types that it takes. */
function isFileWell(type: string, { schema, encoding = {} }: Media): boolean {
  if (type === 'application/json') return schema.format === undefined;
  if (type !== 'multipart/form-data') return isDeepStrictEqual(schema, { type: 'string', format: 'binary' });
  const files = Object.entries(schema.properties!).filter(([, part]) =>
    JSON.stringify(part).includes('"binary"'),
  );
  return isDeepStrictEqual(
    files.map(([name]) => name),
    Object.keys(encoding),
  );
}

/** What is wrong in the documentation of a route. */
function violationsOf([method, path, status]: (typeof routes)[number], document: Document): string[] {
  const operation = document.paths[path]![method]!;
  const replies = Object.entries(operation.responses);
  const codes = replies.map(([code]) => code);
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  const declared = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
  const expectsSession = !open.includes(path) || (open.indexOf(path) < identifying && method === 'post');
  const tags = document.tags.map(({ name }) => name);
  const bodies = [
    ...Object.entries(operation.requestBody?.content ?? {}),
    ...replies.flatMap(([, reply]) => ('$ref' in reply ? [] : Object.entries(reply.content ?? {}))),
  ];
  const rules: [violation: string, isBroken: boolean][] = [
    ['no summary', !/^[A-Z]/.test(operation.summary ?? '')],
    [
      'no operationId in the style verbNoun, or noun.verb of programs',
      !(path.startsWith('/api/v1/') ? /^[a-z]+\.[a-z]+(?:[A-Z][a-z]+)*$/ : /^[a-z]+(?:[A-Z][a-z]+)*$/).test(
        operation.operationId ?? '',
      ),
    ],
    ['no tag, or an unknown one', !operation.tags?.some((tag) => tags.includes(tag))],
    [`no reply ${status}`, !codes.includes(status)],
    ['no description of its 4xx', !codes.some((code) => code.startsWith('4'))],
    [
      'not the parameters of its path',
      !isDeepStrictEqual(
        declared.map(({ name }) => name),
        inPath,
      ),
    ],
    ['a parameter of its path that is not required', declared.some(({ required }) => required !== true)],
    ['not the security that it has', !isDeepStrictEqual(operation.security, securityOf(method, path))],
    ['401 without a session or a password, or none with', codes.includes('401') !== expectsSession],
    ['a file that is not described as one', !bodies.every(([type, media]) => isFileWell(type, media))],
    ...replies.map(([code, reply]): [string, boolean] => [
      `reply ${code} without a description`,
      !('$ref' in reply) && !/^(?!Default Response)./.test(reply.description),
    ]),
    ...replies.map(([code, reply]): [string, boolean] => [
      `error ${code} that is no reference`,
      /^[45]/.test(code) && path !== '/readyz' && !('$ref' in reply),
    ]),
  ];
  return rules.filter(([, isBroken]) => isBroken).map(([violation]) => `${method} ${path}: ${violation}`);
}

test('every route documents its request and its replies', ({ document }) => {
  expect(routes.flatMap((route) => violationsOf(route, document))).toEqual([]);
  const ids = routes.map(([method, path]) => document.paths[path]![method]!.operationId);
  expect(new Set(ids).size).toBe(routes.length);
});

test('all errors have one shape, and each kind of security is defined', ({ document }) => {
  const { components } = document;
  const replies = Object.values(components.responses);
  expect(replies.length).toBeGreaterThan(10);
  for (const { description, content } of replies) {
    expect(description).not.toBe('');
    expect(content).toEqual({ 'application/json': { schema: { $ref: '#/components/schemas/ErrorReply' } } });
  }
  expect(components.schemas.ErrorReply!.properties!.error!.required).toEqual([
    'code',
    'message',
    'requestId',
  ]);
  const used = routes.flatMap(([method, path]) =>
    document.paths[path]![method]!.security!.flatMap(Object.keys),
  );
  expect(Object.keys(components.securitySchemes).toSorted()).toEqual([...new Set(used)].toSorted());
});

test('the document is small enough for clients and people: schemas are named and defined once', ({
  document,
}) => {
  // That of programs, a part of it, has less than 300 kB (v1-document.test.ts).
  expect(JSON.stringify(document).length).toBeLessThan(400_000);
  expect(document.components.schemas.GenerationView).toMatchObject({
    properties: { createdAt: { type: 'string', format: 'date-time' } },
  });
  for (const name of ['GenerationView', 'SubscriptionView', 'SignUp', 'CreateBatch']) {
    expect(document.components.schemas).toHaveProperty(name);
  }
});

test('requests that can be sent again name the header that makes them idempotent', ({ document }) => {
  for (const path of [
    paths.generations,
    paths.changes('{id}'),
    v1Paths.change('{id}'),
    v1Paths.remake('{id}'),
  ]) {
    const { parameters = [] } = document.paths[path]!.post!;
    expect(parameters.find(({ in: place }) => place === 'header')).toMatchObject({
      name: 'Idempotency-Key',
      required: false,
      schema: { minLength: 1, maxLength: limits.idempotencyKeyCharacters },
    });
  }
});

test('a body that may be missing is not required', ({ document }) => {
  expect(document.paths[paths.cancelGeneration('{id}')]!.post!.requestBody!.required).toBe(false);
  expect(document.paths[paths.session]!.post!.requestBody!.required).toBe(true);
});

test('the form of a submission is documented, with its files', ({ document }) => {
  const content = document.paths[paths.generations]!.post!.requestBody?.content ?? {};
  expect(Object.keys(content)).toEqual(['multipart/form-data']);
  expect(content['multipart/form-data']!.schema).toMatchObject({
    type: 'object',
    additionalProperties: false,
    required: ['images', 'prompt'],
    properties: {
      images: { type: 'array', minItems: 1, maxItems: 4, items: { type: 'string', format: 'binary' } },
      prompt: { type: 'string' },
      productName: { type: 'string' },
      numImages: { type: 'integer' },
      negativePrompt: { type: 'string' },
      width: { type: 'integer' },
      style: { enum: ['product', 'lifestyle', 'editorial', 'minimal', 'vintage'] },
      useSeed: { type: 'boolean' },
      seedValue: { type: 'integer', minimum: 0, maximum: 999_999 },
    },
  });
});

test('every reference in the document exists', ({ document }) => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) => path!);
  for (const reference of references) {
    const found = reference
      .split('/')
      .reduce<unknown>((node, key) => (node as Record<string, unknown>)?.[key], document);
    expect(found, reference).toBeDefined();
  }
});

test('the documentation has a page', async ({ stack }) => {
  const reply = await fetch(stack.url + paths.docs);
  expect(reply.status).toBe(200);
  expect(await reply.text()).toContain('swagger-ui');
  expect(reply.headers.get('content-security-policy')).toContain("default-src 'self'");
  // No site may frame the page, whichever of the two headers a browser supports.
  expect(reply.headers.get('x-frame-options')).toBe('DENY');
  expect(reply.headers.get('content-security-policy')).toMatch(/font-src 'self'(?:;|$)/);
  expect(reply.headers.get('content-security-policy')).toMatch(/style-src 'self'(?:;|$)/);
  // What the product does not use, no script may use either; the clipboard and the full screen stay.
  const denied = reply.headers.get('permissions-policy')!;
  expect(denied).toContain('camera=()');
  expect(denied).not.toMatch(/clipboard|fullscreen/);
  for (const use of ['get', 'create']) expect(denied).toContain(`publickey-credentials-${use}=(self)`);
});

/** Parses a body by its schema and expects that it has no other fields. */
function expectExactly(schema: z.ZodType, body: unknown): void {
  expect(body).toEqual(schema.parse(body));
}

test('replies match the schemas of the contract and have no other fields', async ({ stack, seller }) => {
  const window = await seller.openWindow();
  const { body } = await seller.send({ productName: 'Cup', fields: [['numImages', '2']] });
  expectExactly(generationSetSchema, body);
  const queued = body.generations[0]!;
  const ended = await window.untilEnded(queued.id);
  for (const view of window.views) expectExactly(generationViewSchema, view);
  expect(ended.state).toBe('succeeded');
  expectExactly(meSchema, await seller.me());
  expectExactly(generationViewSchema, await seller.generation(queued.id));
  expectExactly(generationListSchema, (await seller.request(paths.generations)).body);

  const json = { method: 'POST', headers: { 'content-type': 'application/json' } };
  const signIn = await seller.request(paths.session, {
    ...json,
    body: JSON.stringify({ email: seller.email, password: testPassword }),
  });
  expectExactly(sessionReplySchema, signIn.body);
  const cancelled = await seller.request(paths.cancelGeneration(queued.id), { method: 'POST' });
  expect(cancelled.status).toBe(409);
  expectExactly(errorReplySchema, cancelled.body);

  expectExactly(meSchema, await (await stack.seller({ plan: 'enterprise' })).me());

  await stack.images.set({ behaviours: [contentRefused] });
  const failed = await window.untilEnded((await seller.submit()).id);
  expect(failed).toMatchObject({ state: 'failed', failure: { code: 'CONTENT_REFUSED' } });
  expectExactly(generationViewSchema, failed);
  expectExactly(generationViewSchema, await cancelledView(stack, seller));
  window.close();
});

/** A generation that was cancelled while the image server delayed it. */
async function cancelledView(stack: TestStack, seller: Seller): Promise<unknown> {
  await stack.images.set({ default: { kind: 'hold' } });
  const { id } = await seller.submit();
  const { status, body } = await seller.request(paths.cancelGeneration(id), { method: 'POST' });
  expect(status).toBe(200);
  expect(body).toMatchObject({ state: 'cancelled' });
  return body;
}
