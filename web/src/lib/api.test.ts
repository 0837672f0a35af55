import { expect, test } from 'vitest';
import { ApiError, isOutcomeUnknown } from './api.ts';

test.for(['NETWORK', 'UNAVAILABLE', 'REQUEST_TIMEOUT', 'TOO_MANY_UPLOADS', 'RATE_LIMITED'] as const)(
  'after %s the outcome is unknown: a retry reuses the key',
  (code) => expect(isOutcomeUnknown(new ApiError(code, 'No.'))).toBe(true),
);

test.for(['NO_CREDITS', 'FILE_TOO_LARGE', 'BODY_TOO_LARGE', 'VALIDATION'] as const)(
  '%s is a definite answer',
  (code) => expect(isOutcomeUnknown(new ApiError(code, 'No.'))).toBe(false),
);
