/** The document of the API for programs. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type ErrorCode, type ErrorReply, paths, v1ErrorsPage, v1Paths } from '#contract';
import { v1Examples } from '#server/plugins/v1-examples.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { sendRaw } from '#tests/support/raw-http.ts';
import { testWithStack } from '#tests/support/test.ts';

interface Document {
  openapi: string;
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, Record<string, { examples?: object[] }>>;
}
interface Operation {
  operationId: string;
  responses: Record<string, { headers?: object }>;
  requestBody?: { content: Record<string, { example?: object }> };
  parameters?: { name: string; in: string }[];
}

const test = testWithStack({ workers: 0 }).extend('text', { scope: 'file' }, async ({ stack }) => {
  // Nobody has to sign in for it, and a browser may open it from anywhere.
  const reply = await fetch(stack.url + v1Paths.document, { headers: { 'sec-fetch-site': 'cross-site' } });
  expect(reply.headers.get('content-type')).toMatch(/^application\/json/);
  return reply.text();
});
const read = (text: string) => JSON.parse(text) as Document;

test('it has what programs can call and nothing else, in at most 300 kB', ({ text }) => {
  const document = read(text);
  expect(document.openapi).toBe('3.1.0');
  expect(text.length).toBeLessThan(300_000);
  const operations = Object.values(document.paths).flatMap((each) => Object.values(each));
  expect(operations.map(({ operationId }) => operationId).toSorted()).toEqual([
    'assistants.call',
    'balance.get',
    'batches.addRows',
    'batches.again',
    'batches.cancel',
    'batches.create',
    'batches.delete',
    'batches.export',
    'batches.get',
    'batches.list',
    'batches.pause',
    'batches.photos',
    'batches.products',
    'batches.report',
    'batches.resume',
    'batches.retry',
    'batches.review',
    'batches.rows',
    'batches.start',
    'batches.upload',
    'events.stream',
    'exports.check',
    'exports.get',
    'exports.zip',
    'generations.cancel',
    'generations.change',
    'generations.create',
    'generations.delete',
    'generations.edit',
    'generations.get',
    'generations.image',
    'generations.list',
    'generations.remake',
    'generations.restore',
    'generations.update',
    'looks.list',
    'presets.list',
    'projects.create',
    'projects.list',
    'sets.get',
    'usage.get',
    'webhooks.create',
    'webhooks.delete',
    'webhooks.deliveries',
    'webhooks.get',
    'webhooks.list',
    'webhooks.resend',
    'webhooks.rotate',
    'webhooks.test',
    'webhooks.update',
  ]);
  expect(document.tags).toEqual([{ name: 'api', description: expect.stringMatching(/\S/) }]);
  expect(Object.keys(document.components.securitySchemes!)).toEqual(['apiKey']);
  // Every reference leads somewhere, and everything that is there is referred to.
  const named = Object.entries(document.components).flatMap(([kind, parts]) =>
    kind === 'securitySchemes' ? [] : Object.keys(parts).map((name) => `#/components/${kind}/${name}`),
  );
  const used = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) => reference!);
  expect([...new Set(used)].toSorted()).toEqual(named.toSorted());
});

test('replies name their headers, and requests the version', ({ text }) => {
  for (const operation of Object.values(read(text).paths).flatMap((each) => Object.values(each))) {
    const { operationId, responses } = operation;
    const replies = Object.entries(responses).filter(([status]) => status.startsWith('2'));
    const own = operationId === 'exports.get' ? ['Packshot-Failed-Rules'] : [];
    const headers = ['RateLimit', 'RateLimit-Policy', 'Packshot-Version', ...own];
    for (const [, reply] of replies) expect(Object.keys(reply.headers ?? {}), operationId).toEqual(headers);
    if (operationId === 'assistants.call') expect(replies.map(([status]) => status)).toEqual(['200', '202']);
    expect(replies, operationId).not.toEqual([]);
    expect(operation.parameters).toContainEqual(
      expect.objectContaining({ name: 'Packshot-Version', in: 'header' }),
    );
  }
});

test('the example of each schema is one', ({ text }) => {
  const { schemas } = read(text).components;
  for (const [schema, example] of v1Examples) expect(schema.safeParse(example).error).toBeUndefined();
  const shown = Object.entries(schemas!).filter(([, { examples }]) => examples !== undefined);
  expect(shown.map(([name]) => name).toSorted()).toEqual([
    'CreateWebhook',
    'ErrorReply',
    'V1Balance',
    'V1Batch',
    'V1BatchReview',
    'V1BatchRows',
    'V1Created',
    'V1EditRequest',
    'V1Estimate',
    'V1ExportCheck',
    'V1ExportPresetList',
    'V1Generation',
    'V1GenerationList',
    'V1LookList',
    'V1Project',
    'V1ProjectList',
    'V1Set',
    'V1Usage',
    'Webhook',
    'WebhookDelivery',
    'WebhookDeliveryList',
    'WebhookList',
    'WebhookWithSecret',
  ]);
  const { requestBody } = read(text).paths[v1Paths.generations]!.post!;
  const [[, request]] = v1Examples as [(typeof v1Examples)[number]];
  expect(requestBody!.content['application/json']!.example).toEqual(request);
  const examples = Object.values(read(text).paths)
    .flatMap((each) => Object.values(each))
    .filter(({ requestBody: body }) => body?.content['application/json']?.example)
    .map(({ operationId }) => operationId);
  expect(examples).toEqual(
    expect.arrayContaining(['batches.create', 'batches.addRows', 'batches.retry', 'batches.again']),
  );
});

test('the document of all routes has the same', async ({ stack, text }) => {
  const all = read(await (await fetch(`${stack.url + paths.docs}/json`)).text());
  for (const [path, operations] of Object.entries(read(text).paths)) {
    expect(all.paths[path]).toEqual(operations);
  }
});

/** The codes that no route of programs answers: those of signing in, plans, operators and what only the app has. */
const ofTheAppOnly: readonly ErrorCode[] = [
  'TOKEN_INVALID',
  'IMAGES_NOT_AVAILABLE',
  'NOT_REPEATABLE',
  'REASON_REQUIRED',
  'GENERATION_CHANGED',
  'OPERATORS_ONLY',
  'OPERATOR_TWO_FACTOR',
  'OPERATOR_SUSPENDED',
  'OPERATOR_CODE',
  'CONFIRM_REQUIRED',
  'ALREADY_BEGUN',
  'PROJECT_NOT_DELETABLE',
  'PROJECT_IN_USE',
  'LOOK_LIMIT',
  'PRESET_LIMIT',
  'PRESET_NAME_TAKEN',
  'PRESET_GONE',
  'UNAUTHENTICATED',
  'BAD_CREDENTIALS',
  'ACCOUNT_LOCKED',
  'ACCOUNT_DISABLED',
  'EMAIL_UNVERIFIED',
  'CODE_REQUIRED',
  'CODE_INVALID',
  'PASSWORD_EXPIRED',
  'PASSWORD_COMMON',
  'PASSWORD_REUSED',
  'PASSWORD_REQUIRED',
  'WRONG_PASSWORD',
  'DELETION_TOO_SOON',
  'ACCOUNT_NOT_CREATED',
  'SIGN_UP_FAILED',
  'PROFILE_NOT_FOUND',
  'TWO_FACTOR_ON',
  'TWO_FACTOR_OFF',
  'PASSKEY_REFUSED',
  'PASSKEY_NOT_ADDED',
  'PASSKEY_LIMIT',
  'API_KEY_LIMIT',
  'NO_BILLING',
  'BILLING_BUSY',
  'CARD_DECLINED',
  'AMOUNT_CHANGED',
  'PAYMENT_PROCESSING',
  'SUBSCRIBE_FAILED',
  'PORTAL_FAILED',
  'SUBSCRIPTION_UNREADABLE',
  'BAD_SIGNATURE',
];

test('the page of errors says what to do about each code that the document has for programs', async ({
  text,
}) => {
  const page = `web/src/content/guides/${/([a-z-]+)#errors$/.exec(v1ErrorsPage)![1]}.md`;
  const [, errors] = (await readFile(join(rootFolder, page), 'utf8')).split('## Errors\n');
  const explained = new Set([...errors!.matchAll(/`([A-Z][A-Z_]+)`/g)].map(([, code]) => code));
  const { ErrorReply } = read(text).components.schemas as unknown as {
    ErrorReply: { properties: { error: { properties: { code: { enum: ErrorCode[] } } } } };
  };
  const codes = ErrorReply.properties.error.properties.code.enum;
  expect([...explained].toSorted()).toEqual(codes.filter((code) => !ofTheAppOnly.includes(code)).toSorted());
});

test('each error below the address of programs links to that page, also where there is no route', async ({
  stack,
}) => {
  const docs = expect.stringContaining(v1ErrorsPage);
  const errorOf = async (method: string, path: string, headers: Record<string, string> = {}) => {
    const reply = await fetch(stack.url + path, { method, headers });
    return ((await reply.json()) as ErrorReply).error;
  };
  expect(await errorOf('GET', '/api/v1/nothing')).toMatchObject({ code: 'NOT_FOUND', docs });
  expect(await errorOf('POST', '/api/v1')).toMatchObject({ code: 'NOT_FOUND', docs });
  expect(await errorOf('QUERY', v1Paths.balance)).toMatchObject({ code: 'NOT_FOUND', docs });
  expect(await errorOf('GET', v1Paths.balance)).toMatchObject({ code: 'API_KEY_INVALID', docs });
  const crossSite = { 'sec-fetch-site': 'cross-site' };
  expect(await errorOf('POST', v1Paths.generations, crossSite)).toMatchObject({ code: 'CROSS_SITE', docs });
  const { body } = await sendRaw(stack.url, { path: '/api/v1/generations/%zz' });
  expect(body).toMatchObject({ error: { code: 'NOT_FOUND', docs } });
  for (const path of ['/api/nothing', '/api/v10', '/nothing'])
    expect(await errorOf('GET', path)).not.toHaveProperty('docs');
});
