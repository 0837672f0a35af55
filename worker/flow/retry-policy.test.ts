import { describe, expect, test } from 'vitest';
import { ProviderError, type ProviderErrorKind } from '#worker/providers/provider.ts';
import { retryDecision } from './retry-policy.ts';

const config = { attempts: 3, backoffMs: 2_000 };
const middle = () => 0.5;
const failure = (kind: ProviderErrorKind, retryAfterMs?: number) =>
  new ProviderError(kind, 'said so', { retryAfterMs });

describe('retryDecision', () => {
  test.for<[kind: ProviderErrorKind, code: string]>([
    ['rejected', 'PROVIDER_ERROR'],
    ['content', 'CONTENT_REFUSED'],
    ['photos', 'PHOTOS_UNREADABLE'],
    ['timeout', 'TIMED_OUT'],
  ])('%s fails at once', ([kind, code]) => {
    expect(retryDecision(failure(kind), { started: 1, server_errors: 0 }, config)).toEqual({
      action: 'fail',
      code,
    });
  });

  test.for<[kind: ProviderErrorKind, code: string]>([
    ['server', 'PROVIDER_ERROR'],
    ['stalled', 'TIMED_OUT'],
    ['invalid_response', 'NO_IMAGE_DATA'],
  ])('%s is retried once, even if more calls are allowed', ([kind, code]) => {
    expect(retryDecision(failure(kind), { started: 1, server_errors: 1 }, config, middle)).toEqual({
      action: 'retry',
      delayMs: 2_000,
    });
    expect(retryDecision(failure(kind), { started: 2, server_errors: 2 }, config)).toEqual({
      action: 'fail',
      code,
    });
  });

  test.for<ProviderErrorKind>(['busy', 'account'])('%s waits, however often it was refused', (kind) => {
    expect(retryDecision(failure(kind), { started: 3, server_errors: 0 }, config)).toEqual({
      action: 'wait',
    });
  });

  test('the backoff has a jitter of a quarter either way', () => {
    const wait = (random: number) =>
      retryDecision(failure('server'), { started: 1, server_errors: 1 }, config, () => random);
    expect(wait(0)).toMatchObject({ delayMs: 1_500 });
    expect(wait(1)).toMatchObject({ delayMs: 2_500 });
  });

  test.for([
    [0, 0],
    [700, 700],
    [119_999, 119_999],
    [3_600_000, 120_000],
  ])('retry-after of %i ms is respected as %i ms', ([asked, given]) => {
    expect(retryDecision(failure('server', asked), { started: 1, server_errors: 1 }, config)).toEqual({
      action: 'retry',
      delayMs: given,
    });
  });

  test('a call that we stopped has no retry decision', () => {
    expect(() => retryDecision(failure('aborted'), { started: 1, server_errors: 0 }, config)).toThrow(
      /not retried/,
    );
  });
});
