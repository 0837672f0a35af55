/** Form parameters, where every value is text and '' means "unset": reading them, their schemas, and pagination. */
import qs from 'qs';
import { z } from 'zod';
import { invalidRequest, noSuch, type StripeApiError } from '../errors.ts';

/** Nested text values from a form or a query string: `items[0][price]=…`. */
export type Parameters = Record<string, unknown>;

/** Parses a form body or a query string. Brackets may be literal or percent-encoded. */
export function parseForm(text: string): Parameters {
  return qs.parse(text, {
    depth: 12,
    arrayLimit: 1000,
    parameterLimit: 5000,
    strictDepth: true,
  }) as Parameters;
}

/**
 * Validates parameters.
 * @throws StripeApiError 400 with `parameter_unknown`, `parameter_missing` or `parameter_invalid_…`, naming the
 * parameter as the client wrote it
 */
export function checkParameters<T>(schema: z.ZodType<T>, parameters: Parameters): T {
  const result = schema.safeParse(parameters);
  if (result.success) return result.data;
  throw errorFor(result.error, parameters);
}

function errorFor(error: z.ZodError, parameters: Parameters): StripeApiError {
  const [issue] = error.issues as [z.core.$ZodIssue];
  const name = nameOf(issue.path);
  if (issue.code === 'unrecognized_keys') {
    const unknown = nameOf([...issue.path, issue.keys[0] as string]);
    return invalidRequest(`Received unknown parameter: ${unknown}`, unknown, 'parameter_unknown');
  }
  const value = issue.path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? (inner as never)[key] : undefined),
    parameters,
  );
  if (value === undefined) {
    return invalidRequest(`Missing required param: ${name}.`, name, 'parameter_missing');
  }
  if (value === '') {
    return invalidRequest(
      `You passed an empty string for '${name}'. Leave it away or give it a value.`,
      name,
      'parameter_invalid_empty',
    );
  }
  const whole = issue.message.includes('whole number');
  return invalidRequest(
    whole ? `Invalid integer: ${String(value)}` : `Invalid ${name}: ${issue.message}`,
    name,
    whole ? 'parameter_invalid_integer' : undefined,
  );
}

/** The name of a parameter from its path, such as `items[0][price]`. */
function nameOf(path: readonly PropertyKey[]): string {
  return path.map((key, index) => (index === 0 ? String(key) : `[${String(key)}]`)).join('');
}

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
/** The items of a subscription: one price. */
export const onlyItem = z.array(z.strictObject({ price: nonEmptyText, quantity: one })).length(1);
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
/** When a subscription ends, in Unix seconds; '' withdraws it. */
export const cancelAt = z.union([z.literal('').transform(() => null), integer]);
/** Coupons to redeem, and discounts to keep. */
export const discountChoices = list(
  z.union([z.strictObject({ coupon: nonEmptyText }), z.strictObject({ discount: nonEmptyText })]),
);
/** How a change of price is prorated. Others wait for the renewal at Stripe; this server has none of those. */
export const prorationBehavior = z.enum(['none', 'always_invoice']);
/** An address for browsers. */
export const url = nonEmptyText.refine((value) => /^https?:\/\//.test(value), 'not a valid URL');

const pagingSchema = z.object({
  limit: integer.pipe(z.number().min(1).max(100)).default(10),
  starting_after: nonEmptyText.optional(),
});

const names = Object.keys(pagingSchema.shape);

/** Separates the pagination parameters from the other parameters of a call. */
export function splitPaging(parameters: Parameters): {
  paging: z.output<typeof pagingSchema>;
  rest: Parameters;
} {
  const entries = Object.entries(parameters);
  return {
    paging: checkParameters(
      pagingSchema,
      Object.fromEntries(entries.filter(([name]) => names.includes(name))),
    ),
    rest: Object.fromEntries(entries.filter(([name]) => !names.includes(name))),
  };
}

/**
 * Cuts one page out of a list.
 * @param all every object that matches, newest first
 * @throws StripeApiError 400 for a cursor that is not in the list
 */
export function pageOf<T extends { id: string }>(
  all: T[],
  paging: z.output<typeof pagingSchema>,
): { data: T[]; hasMore: boolean } {
  const { limit, starting_after: after } = paging;
  const found = after === undefined ? all : all.slice(indexOf(all, after) + 1);
  return { data: found.slice(0, limit), hasMore: found.length > limit };
}

function indexOf(all: { id: string }[], id: string): number {
  const index = all.findIndex((each) => each.id === id);
  if (index === -1) throw noSuch('object', id, 'starting_after');
  return index;
}
