import { APIError } from 'openai';
import { describe, expect, test } from 'vitest';
import type { ProviderErrorKind } from '../provider.ts';
import { classify } from './classify.ts';

/** The error that the SDK throws for an answer with this status; undefined stands for an error in mid-stream. */
const answer = (status: number | undefined, code: string | null, headers: Record<string, string> = {}) =>
  new APIError(
    status,
    { code, type: 'image_generation_user_error', param: null, message: 'said so' },
    'said so',
    new Headers(headers),
  );

describe('classify', () => {
  test.for<[status: number | undefined, code: string | null, kind: ProviderErrorKind]>([
    [400, 'invalid_image_file', 'photos'],
    [400, 'invalid_image', 'photos'],
    [undefined, 'invalid_image_file', 'photos'],
    [500, 'invalid_image_file', 'server'],
    [400, 'moderation_blocked', 'content'],
    [400, 'invalid_value', 'rejected'],
    [401, 'invalid_api_key', 'account'],
    [429, 'rate_limit_exceeded', 'busy'],
    [429, 'insufficient_quota', 'account'],
    [undefined, 'server_error', 'server'],
    [503, null, 'server'],
    [503, 'server_is_overloaded', 'busy'],
    [undefined, 'slow_down', 'busy'],
  ])('%s %s is %s', ([status, code, kind]) => {
    const error = classify(answer(status, code, { 'x-request-id': 'req_1' }), undefined, null);
    expect(error).toMatchObject({ kind, status: status ?? null, requestId: 'req_1' });
  });

  test('a 503 with retry-after was refused', () => {
    const error = classify(answer(503, null, { 'retry-after': '2' }), undefined, null);
    expect(error).toMatchObject({ kind: 'busy', retryAfterMs: 2_000 });
  });

  test('a call that we stopped is classified by the reason, whatever it threw', () => {
    expect(classify(answer(400, 'invalid_image_file'), 'timeout', 'req_2')).toMatchObject({
      kind: 'timeout',
      requestId: 'req_2',
    });
  });
});
