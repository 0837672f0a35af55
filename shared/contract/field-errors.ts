import type { z } from 'zod';
import type { ErrorCode } from './errors.ts';

type IssueCode = z.core.$ZodIssue['code'];

/** Fields whose issues have error codes of their own, by the code of the zod issue. */
const fieldErrorCodes: Readonly<Record<string, Partial<Record<IssueCode, ErrorCode>>>> = {
  prompt: {
    invalid_type: 'PROMPT_REQUIRED',
    invalid_format: 'PROMPT_REQUIRED',
    too_big: 'PROMPT_INVALID',
    custom: 'PROMPT_INVALID',
  },
  token: { invalid_type: 'TOKEN_INVALID', too_small: 'TOKEN_INVALID', too_big: 'TOKEN_INVALID' },
};

/**
 * The error code of a zod issue.
 * @param field path of the field in the request, parts separated by dots
 * @param issueCode `code` of the zod issue
 * @returns undefined for VALIDATION, which most fields have
 */
export function fieldErrorCode(field: string, issueCode: string): ErrorCode | undefined {
  return Object.hasOwn(fieldErrorCodes, field) ? fieldErrorCodes[field]?.[issueCode as IssueCode] : undefined;
}
