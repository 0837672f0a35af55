import { z } from 'zod';
import { type ErrorCode, errorDefinitions } from '#contract';
import { AppError } from '#shared/platform/errors.ts';

// Nobody should read a library's own words: where the contract gives an issue no text, it gets this one.
z.config({
  customError: (issue) => {
    if (issue.code === 'unrecognized_keys') return `The field ${quoted(issue.keys[0])} is not known.`;
    return `The field ${quoted(issue.path?.join('.'))} is not valid.`;
  },
});

const quoted = (name: unknown) => `"${String(name ?? '').slice(0, 60)}"`;

/** One thing that is wrong: `path` is the field's, `keys` are the fields that are not known. */
export interface Issue {
  message: string;
  path: string;
  keys?: readonly string[] | undefined;
}

/** An issue as a refusal that names the field. */
export function validationError({ message, path, keys }: Issue): AppError {
  // A schema whose rule has an error code of its own gives the code as its text.
  if (message in errorDefinitions) return new AppError(message as ErrorCode);
  const field = (keys?.[0] ?? path).slice(0, 60);
  // Not one field but the whole is wrong: there is no body, or it is a list.
  return field === '' ? new AppError('VALIDATION') : new AppError('VALIDATION', { message, field });
}

/** Reads a value by its schema. @throws Refusal naming the first field that is wrong */
export function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const issue = read.error.issues[0]!;
  throw validationError({
    message: issue.message,
    path: issue.path.join('.'),
    keys: issue.code === 'unrecognized_keys' ? issue.keys : undefined,
  });
}
