import { expect, test } from 'vitest';
import { ApiError, isUncertain } from './api.ts';

test.for(['NETWORK', 'UNAVAILABLE', 'REQUEST_TIMEOUT', 'TOO_MANY_UPLOADS', 'RATE_LIMITED'] as const)(
  'behind %s the same request may be sent again, with the same key',
  (code) => expect(isUncertain(new ApiError(code, 'No.'))).toBe(true),
);

test.for(['NO_CREDITS', 'FILE_TOO_LARGE', 'BODY_TOO_LARGE', 'VALIDATION'] as const)(
  '%s is the answer to the request',
  (code) => expect(isUncertain(new ApiError(code, 'No.'))).toBe(false),
);
