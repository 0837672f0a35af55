/** The kind of every status, code and place of an error, against the tables of docs/provider.md. */
import { readFileSync } from 'node:fs';
import { APIError } from 'openai';
import { expect, test } from 'vitest';
import { ProviderError, type ProviderErrorKind } from '../provider.ts';
import { classify } from './classify.ts';
import { streamEvents } from './stream.ts';

const document = readFileSync(new URL('../../../docs/provider.md', import.meta.url), 'utf8');

/** The rows of the table below a heading, each cell without its quotes. */
function table(heading: string): string[][] {
  const section = document.split(`### ${heading}\n`)[1]!.split('\n#')[0]!;
  const rows = section.split('\n').filter((line) => line.startsWith('| '));
  return rows.slice(2).map((row) => row.split('|').slice(1, -1));
}
const names = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);

/** What is documented. */
const kindOfCode = new Map(
  table('Codes').flatMap(([kind, codes]) =>
    names(codes!).map((code) => [code, names(kind!)[0] as ProviderErrorKind] as const),
  ),
);
const kindOfStatus = new Map(
  table('Statuses').flatMap(([statuses, kind]) =>
    [...statuses!.matchAll(/\b\d{3}\b/g)].map(([status]) => [Number(status), names(kind!)[0]!] as const),
  ),
);

const statuses = [...kindOfStatus.keys()];
const codes = [...kindOfCode.keys(), 'a_new_code', null];

const bodyKind = (status: number, error: object) =>
  classify(APIError.generate(status, { error }, undefined, new Headers()), undefined, null).kind;

const places = {
  'a stream, as a part of an event': (error: object) =>
    `event: error\ndata: ${JSON.stringify({ error })}\n\n`,
  'a stream, as an event': (error: object) => `data: ${JSON.stringify({ ...error, type: 'error' })}\n\n`,
  'a stream, as a line': (error: object) => `${JSON.stringify({ error })}\n`,
  'a stream, without the end of its line': (error: object) => `data: ${JSON.stringify({ error })}`,
};

async function streamKind(text: string): Promise<ProviderErrorKind | 'none'> {
  const events = streamEvents(new Response(text), { requestId: null, bytesMost: 10_000, onBytes() {} });
  try {
    for await (const _event of events);
    return 'none';
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return error.kind;
  }
}

test('the document names the errors of accounts, photos and moderation, and every status of an error', () => {
  expect(Object.fromEntries(kindOfCode)).toMatchObject({
    billing_hard_limit_reached: 'account',
    billing_not_active: 'account',
    insufficient_quota: 'account',
    model_not_found: 'account',
    unsupported_file_mimetype: 'photos',
    image_parse_error: 'photos',
    moderation_blocked: 'content',
  });
  expect(statuses).toEqual(expect.arrayContaining([400, 401, 403, 404, 413, 429, 500, 503]));
});

test('as the body of a reply: every status with every code', () => {
  for (const status of statuses) {
    for (const code of codes) {
      const expected = kindOfCode.get(code ?? '') ?? kindOfStatus.get(status);
      const error = { code, type: 'invalid_request_error', param: null, message: 'said so' };
      expect(bodyKind(status, error), `${status} ${code}`).toBe(expected);
    }
  }
});

test.for(Object.entries(places))('in %s: every code', async ([, written]) => {
  for (const code of codes) {
    const expected = kindOfCode.get(code ?? '') ?? 'server';
    const error = { code, type: 'server_error', param: null, message: 'said so' };
    expect(await streamKind(written(error)), String(code)).toBe(expected);
  }
});

test('a parameter that is the same in every request is wrong for every image, in every place', async () => {
  const wrong = (param: string) => ({
    code: 'invalid_value',
    type: 'invalid_request_error',
    param,
    message: 'said so',
  });
  const line = document.split('\n').find((each) => each.startsWith('- A parameter that is the same'))!;
  const parameters = names(line.split(':').at(-1)!);
  expect(parameters).toContain('model');
  for (const param of parameters) {
    for (const status of [400, 404, 422]) expect(bodyKind(status, wrong(param)), param).toBe('account');
    for (const written of Object.values(places)) {
      expect(await streamKind(written(wrong(param))), param).toBe('account');
    }
  }
  expect(bodyKind(400, wrong('size'))).toBe('rejected');
  expect(await streamKind(places['a stream, as an event'](wrong('size')))).toBe('rejected');
});

test('the type decides when it names an account problem, or when nothing else is known', async () => {
  const nested = places['a stream, as a part of an event'];
  for (const code of [null, 'rate_limit_exceeded']) {
    const quota = { code, type: 'insufficient_quota', message: 'said so' };
    expect(bodyKind(429, quota)).toBe('account');
    expect(await streamKind(nested(quota))).toBe('account');
  }
  for (const type of ['invalid_request_error', 'image_generation_user_error']) {
    expect(await streamKind(nested({ code: null, type, message: 'said so' })), type).toBe('rejected');
  }
  expect(await streamKind(nested({ message: 'said so' }))).toBe('server');
  expect(await streamKind('data: {"error":"said so"}\n\n')).toBe('server');
  expect(await streamKind('data: {"error":null,"type":"something"}\n\ndata: null\n\n')).toBe('none');
});
