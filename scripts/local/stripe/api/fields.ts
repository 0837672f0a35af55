/** Schemas for form parameters, where every value is text and '' means "unset". */
import { z } from 'zod';

/** Any text. */
export const text = z.string().max(5000);
/** Text that must not be empty. */
export const nonEmptyText = z.string().min(1).max(5000);
/** A whole number. */
export const integer = z
  .string()
  .regex(/^-?\d{1,12}$/, 'must be a whole number')
  .transform(Number);
/** A quantity: this server sells one of everything. */
export const one = integer.pipe(z.literal(1)).optional();
/** `true` or `false`. */
export const flag = z.enum(['true', 'false']).transform((value) => value === 'true');
/** Up to 50 keys of at most 40 characters with values of at most 500 characters, or '' to remove all. */
export const metadata = z.union([
  z.literal(''),
  z
    .record(z.string().max(40), z.string().max(500))
    .refine((entries) => Object.keys(entries).length <= 50, 'may have at most 50 keys'),
]);
/** Metadata of a new object, where '' is the same as none. */
export const newMetadata = metadata.transform((value) => (value === '' ? {} : value));
/** A list; '' empties it. */
export const list = <T extends z.ZodType>(item: T) =>
  z.union([z.array(item), z.literal('').transform(() => [] as z.output<T>[])]);
/** How a change of price is prorated. Others wait for the renewal at Stripe; this server has none of those. */
export const prorationBehavior = z.enum(['none', 'always_invoice']);
/** An address for browsers. */
export const url = nonEmptyText.refine((value) => /^https?:\/\//.test(value), 'not a valid URL');
