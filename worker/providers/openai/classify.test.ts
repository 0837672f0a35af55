import { APIConnectionError, APIError } from 'openai';
import { expect, test } from 'vitest';
import { classify } from './classify.ts';

/** The error that the SDK throws for a reply with this status and this error. */
const answer = (status: number, error: object, headers: Record<string, string> = {}) =>
  APIError.generate(status, { error: { message: 'said so', ...error } }, undefined, new Headers(headers));

test('an error has its status, its code or else its type, and the id of its request', () => {
  const headers = { 'x-request-id': 'req_1' };
  const quota = { code: 'invalid_api_key', type: 'invalid_request_error' };
  expect(classify(answer(401, quota, headers), undefined, null)).toMatchObject({
    kind: 'account',
    status: 401,
    code: 'invalid_api_key',
    requestId: 'req_1',
  });
  expect(classify(answer(429, { type: 'insufficient_quota' }), undefined, 'req_2')).toMatchObject({
    code: 'insufficient_quota',
    requestId: 'req_2',
  });
});

test('a 503 with retry-after was refused, unless its code says something else', () => {
  const headers = { 'retry-after': '2' };
  expect(classify(answer(503, {}, headers), undefined, null)).toMatchObject({
    kind: 'busy',
    retryAfterMs: 2_000,
  });
  expect(classify(answer(503, { code: 'billing_not_active' }, headers), undefined, null)).toMatchObject({
    kind: 'account',
  });
  expect(classify(answer(503, {}), undefined, null)).toMatchObject({ kind: 'server' });
});

test('a call that we stopped is classified by the reason, whatever it threw', () => {
  expect(classify(answer(400, { code: 'invalid_image_file' }), 'timeout', 'req_2')).toMatchObject({
    kind: 'timeout',
    requestId: 'req_2',
  });
});

test('a connection that failed before the request was sent was refused', () => {
  const failed = (code: string) =>
    classify(new APIConnectionError({ cause: Object.assign(new Error('x'), { code }) }), undefined, null);
  expect(failed('ECONNREFUSED').kind).toBe('busy');
  expect(failed('ECONNRESET').kind).toBe('server');
});

test.for<[name: string, error: object, moderation: object]>([
  [
    'details',
    { moderation_details: { moderation_stage: 'output', categories: ['sexual', 'violence', 'sexual'] } },
    { stage: 'output', categories: ['sexual', 'violence'] },
  ],
  [
    'details as an object of flags',
    {
      moderation_details: {
        moderation_stage: 'input',
        categories: { 'self-harm/intent': true, hate: false },
      },
    },
    { stage: 'input', categories: ['self-harm/intent'] },
  ],
  [
    'a list in the message',
    { message: 'Your request was rejected by the safety system. safety_violations=[sexual, hate].' },
    { stage: null, categories: ['sexual', 'hate'] },
  ],
  ['nothing', {}, { stage: null, categories: [] }],
  [
    'nonsense',
    { moderation_details: { moderation_stage: 7, categories: [null, 'x'.repeat(99), '<b>'] } },
    { stage: null, categories: [] },
  ],
  ['a list without an end', { message: 'safety_violations=[sexual' }, { stage: null, categories: [] }],
  ['details that are a text', { moderation_details: 'sexual' }, { stage: null, categories: [] }],
])('moderation says what it tells: %s', ([, error, moderation]) => {
  const refused = classify(answer(400, { code: 'moderation_blocked', ...error }), undefined, null);
  expect(refused).toMatchObject({ kind: 'content', moderation });
});

test('only moderation has something to say about it', () => {
  const details = { moderation_details: { moderation_stage: 'input', categories: ['hate'] } };
  expect(classify(answer(400, { code: 'invalid_value', ...details }), undefined, null).moderation).toBeNull();
});
