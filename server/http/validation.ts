import { z } from 'zod';
import { errorDefinitions, fieldErrorCode } from '#contract';
import { AppError } from '#shared/platform/errors.ts';

/** A field name in an answer is cut after this many characters, since the client chose it. */
const maxFieldCharacters = 60;

const quoted = (name: unknown) => `"${String(name ?? '').slice(0, maxFieldCharacters)}"`;

// Replaces zod's own messages, which are written for programmers, wherever the contract gives no message.
z.config({
  customError: (issue) => {
    if (issue.code === 'unrecognized_keys') return `The field ${quoted(issue.keys[0])} is not known.`;
    const path = issue.path?.join('.') ?? '';
    return path === '' ? errorDefinitions.VALIDATION[1] : `The field ${quoted(path)} is not valid.`;
  },
});

/** One zod issue. */
export interface Issue {
  /** `code` of the zod issue. */
  code: string;
  message: string;
  /** Path of the field, parts separated by dots; empty for the whole value. */
  path: string;
  /** The unknown fields, if the issue is about those. */
  keys?: readonly string[] | undefined;
}

/** The error for an issue. VALIDATION names the field; some fields have codes of their own. */
export function validationError({ code, message, path, keys }: Issue): AppError {
  const ownCode = fieldErrorCode(path, code);
  if (ownCode) return new AppError(ownCode);
  const field = (keys?.[0] ?? path).slice(0, maxFieldCharacters);
  // Without a field the whole value is wrong: there is no body, or it is not an object.
  return new AppError('VALIDATION', { message, ...(field !== '' && { field }) });
}

/** Parses a value by its schema. @throws AppError about the first issue */
export function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const issue = read.error.issues[0]!;
  throw validationError({
    code: issue.code,
    message: issue.message,
    path: issue.path.join('.'),
    keys: issue.code === 'unrecognized_keys' ? issue.keys : undefined,
  });
}
