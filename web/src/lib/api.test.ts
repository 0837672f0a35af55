import { afterEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { errorDefinitions } from '#contract';
import { ApiError, isOutcomeUnknown, onUnauthenticated, readReply } from './api.ts';

test.for(['NETWORK', 'UNAVAILABLE', 'REQUEST_TIMEOUT', 'TOO_MANY_UPLOADS', 'RATE_LIMITED'] as const)(
  'after %s the outcome is unknown: a retry reuses the key',
  (code) => expect(isOutcomeUnknown(new ApiError(code, 'No.'))).toBe(true),
);

test.for(['NO_CREDITS', 'FILE_TOO_LARGE', 'BODY_TOO_LARGE', 'VALIDATION'] as const)(
  '%s is a definite reply',
  (code) => expect(isOutcomeUnknown(new ApiError(code, 'No.'))).toBe(false),
);

afterEach(() => onUnauthenticated(() => {}));

const schema = z.object({ id: z.string() });
const errorBody = (code: string, field?: string) =>
  JSON.stringify({
    error: { code, message: 'No.', requestId: '0af7651916cd43dd8448eb211c80319c', ...(field && { field }) },
  });

test('a reply that matches the contract is returned without extra fields', () => {
  expect(readReply(200, '{"id":"one","secret":1}', schema)).toEqual({ id: 'one' });
  expect(readReply(204, '', null)).toBeUndefined();
});

test.for<[status: number, text: string, code: string, message: string]>([
  [200, '{"id":1}', 'UNREADABLE', errorDefinitions.INTERNAL[1]],
  [200, '', 'UNREADABLE', errorDefinitions.INTERNAL[1]],
  [500, '<h1>Oops</h1>', 'UNREADABLE', errorDefinitions.INTERNAL[1]],
  [502, '<h1>Bad gateway</h1>', 'UNAVAILABLE', errorDefinitions.UNAVAILABLE[1]],
  [402, errorBody('NO_CREDITS'), 'NO_CREDITS', 'No.'],
  [500, errorBody('INTERNAL'), 'INTERNAL', 'No. (Reference: 0af76519)'],
  [402, errorBody('NO_SUCH_CODE'), 'UNREADABLE', errorDefinitions.INTERNAL[1]],
])('%i %s throws %s', ([status, text, code, message]) => {
  expect(() => readReply(status, text, schema)).toThrow(expect.objectContaining({ code, message }));
});

test('an error names its field, and UNAUTHENTICATED calls the listener', () => {
  const listener = vi.fn();
  onUnauthenticated(listener);
  expect(() => readReply(400, errorBody('VALIDATION', 'email'), schema)).toThrow(
    expect.objectContaining({ field: 'email' }),
  );
  expect(listener).not.toHaveBeenCalled();
  expect(() => readReply(401, errorBody('UNAUTHENTICATED'), schema)).toThrow(ApiError);
  expect(listener).toHaveBeenCalledOnce();
});
