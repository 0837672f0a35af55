/** Parses and validates the parameters of a call, with Stripe's error messages. */
import qs from 'qs';
import type { z } from 'zod';
import { invalidRequest, type StripeApiError } from '../errors.ts';

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
