import { z } from 'zod';
import { type ErrorCode, refusals } from '../shared/contract/index.ts';
import { Refusal } from '../shared/errors.ts';

// Nobody should read a library's own words: where the contract gives an issue no text, it gets this one.
z.config({
  customError: (issue) => {
    if (issue.code === 'unrecognized_keys') return `The field ${quoted(issue.keys[0])} is not known.`;
    return `The field ${quoted(issue.path?.join('.'))} is not valid.`;
  },
});

const quoted = (name: unknown) => `"${String(name ?? '').slice(0, 60)}"`;

/** The first thing that is wrong, as a refusal that names the field. */
export function refusalOf(error: z.core.$ZodError): Refusal {
  const [issue] = error.issues;
  if (!issue) return new Refusal('VALIDATION');
  // A schema whose rule has an error code of its own gives the code as its text.
  if (issue.message in refusals) return new Refusal(issue.message as ErrorCode);
  const field = issue.code === 'unrecognized_keys' ? issue.keys[0] : issue.path.join('.');
  return new Refusal('VALIDATION', { message: issue.message, field: (field ?? '').slice(0, 60) });
}

/** Reads a value by its schema. @throws Refusal naming the first field that is wrong */
export function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const read = schema.safeParse(value);
  if (!read.success) throw refusalOf(read.error);
  return read.data;
}
