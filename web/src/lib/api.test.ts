import { afterEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { errorDefinitions } from '#contract';
import { ApiError, isOutcomeUnknown, onUnauthenticated, readReply, type WithoutContent } from './api.ts';

test.for([
  'NETWORK',
  'UNCLEAR',
  'UNAVAILABLE',
  'REQUEST_TIMEOUT',
  'TOO_MANY_UPLOADS',
  'RATE_LIMITED',
] as const)('after %s the outcome is unknown: a retry reuses the key', (code) =>
  expect(isOutcomeUnknown(new ApiError(code, 'No.'))).toBe(true),
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
});

const deleted = { status: 204, check: 'Reload this page to see.' } as const;
const accepted = { status: 202, check: 'Look for our mail.' } as const;

test('a reply without content is a success with exactly its status and its body', () => {
  expect(readReply(204, '', deleted)).toBeUndefined();
  expect(readReply(202, '{}', accepted)).toBeUndefined();
});

test.for<[status: number, text: string, success: WithoutContent]>([
  [200, '<!doctype html><title>Sign in to this network</title>', deleted],
  [200, '', deleted],
  [200, '{}', deleted],
  [202, '{}', deleted],
  [204, '', accepted],
  [200, '{}', accepted],
  [202, '<p>OK</p>', accepted],
  [202, '', accepted],
])('%i %s leaves open whether it worked, and says how to find out', ([status, text, success]) => {
  expect(() => readReply(status, text, success)).toThrow(
    expect.objectContaining({
      code: 'UNCLEAR',
      message: `We can't tell whether that worked. ${success.check}`,
    }),
  );
});

test.for<[status: number, text: string, code: string, message: string]>([
  [200, '{"id":1}', 'UNREADABLE', errorDefinitions.INTERNAL[1]],
  [200, '', 'UNREADABLE', errorDefinitions.INTERNAL[1]],
  [500, '<h1>Oops</h1>', 'UNREADABLE', errorDefinitions.INTERNAL[1]],
  [502, '<h1>Bad gateway</h1>', 'UNAVAILABLE', errorDefinitions.UNAVAILABLE[1]],
  [402, errorBody('NO_CREDITS'), 'NO_CREDITS', 'No.'],
  [500, errorBody('INTERNAL'), 'INTERNAL', 'No. (Reference: 0af76519)'],
  // A newer server than this page: its sentence still helps.
  [402, errorBody('NEWER_CODE'), 'NEWER_CODE', 'No.'],
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
