import { expect, test } from 'vitest';
import { z } from 'zod';
import {
  type ErrorCode,
  errorDefinitions,
  generationRequestSchema,
  limits,
  tokenOnlySchema,
} from '#contract';
import { AppError } from '#shared/platform/errors.ts';
import { parse } from './validation.ts';

/** The error that parsing throws. */
function errorOf(schema: z.ZodType, value: unknown): AppError {
  try {
    parse(schema, value);
  } catch (error) {
    if (error instanceof AppError) return error;
  }
  throw new Error('the value was accepted');
}

test.for<[what: string, schema: z.ZodType, value: unknown, code: ErrorCode]>([
  ['no description', generationRequestSchema, {}, 'PROMPT_REQUIRED'],
  ['a description that is not text', generationRequestSchema, { prompt: 1 }, 'PROMPT_REQUIRED'],
  ['a blank description', generationRequestSchema, { prompt: ' \r\n' }, 'PROMPT_REQUIRED'],
  [
    'a long blank description',
    generationRequestSchema,
    { prompt: ' '.repeat(limits.promptCharacters + 1) },
    'PROMPT_REQUIRED',
  ],
  [
    'a long description',
    generationRequestSchema,
    { prompt: 'x'.repeat(limits.promptCharacters + 1) },
    'PROMPT_INVALID',
  ],
  ['a control character', generationRequestSchema, { prompt: 'a\0b' }, 'PROMPT_INVALID'],
  ['no token', tokenOnlySchema, {}, 'TOKEN_INVALID'],
  ['a token that is not text', tokenOnlySchema, { token: {} }, 'TOKEN_INVALID'],
  ['an empty token', tokenOnlySchema, { token: '' }, 'TOKEN_INVALID'],
  ['a long token', tokenOnlySchema, { token: 'x'.repeat(201) }, 'TOKEN_INVALID'],
])('%s has an error code of its own, and its zod issue a sentence', ([, schema, value, code]) => {
  const [status, message] = errorDefinitions[code];
  expect(errorOf(schema, value)).toMatchObject({ code, status, message, field: undefined });
  expect(schema.safeParse(value).error?.issues[0]?.message).toBe(message);
});

test('the text of an issue is never taken for an error code', () => {
  const schema = z.object({ name: z.string({ error: 'NO_CREDITS' }) });
  expect(errorOf(schema, {})).toMatchObject({ code: 'VALIDATION', message: 'NO_CREDITS', field: 'name' });
});

test('a field of another request with the name of a property of all objects is VALIDATION', () => {
  const schema = z.object({ constructor: z.string() });
  expect(errorOf(schema, { constructor: 1 })).toMatchObject({ code: 'VALIDATION', field: 'constructor' });
});

test('an unknown field is named, cut to 60 characters', () => {
  const name = 'x'.repeat(100);
  expect(errorOf(tokenOnlySchema, { token: 'a', [name]: 1 })).toMatchObject({
    code: 'VALIDATION',
    message: `The field "${'x'.repeat(60)}" is not known.`,
    field: 'x'.repeat(60),
  });
});

test('a value that is not an object names no field', () => {
  expect(errorOf(tokenOnlySchema, 'text')).toMatchObject({ code: 'VALIDATION', field: undefined });
});
