import { outboundLimits } from '#shared/outbound/outbound.ts';
import type { OutboundError, OutboundFailure } from '#shared/outbound/outbound-error.ts';
import { AppError } from '#shared/platform/errors.ts';

/** Addresses that are refused whatever is there: what the seller is told, or null for the message of the code. */
const refused: Partial<Record<OutboundFailure, string | null>> = {
  invalid: null,
  credentials: "Addresses with a user name or password can't be fetched. Please remove it.",
  port: "Addresses with a port of their own, such as :8443, can't be fetched.",
};

/** What goes on after "We couldn't fetch this address:". */
const why: Partial<Record<OutboundFailure, string>> = {
  'not-public': "it isn't on the public internet. Please check it.",
  redirect: 'it leads to an address that is not public or does not begin with https://.',
  redirects: 'it leads on to other addresses too many times.',
  encoded: 'it sends compressed data instead of a photo.',
  timeout: `it took longer than ${outboundLimits.seconds} seconds, or stopped answering.`,
  certificate: 'its certificate is not valid.',
  unreachable: "its server can't be reached, or closed the connection.",
};

/** Statuses with which servers ask for a password. */
const forbidden: readonly (number | undefined)[] = [401, 403];

/** What a seller is told of an address that could not be fetched; FILE_TOO_LARGE is about "One of the photos". */
export function addressError(error: OutboundError): AppError {
  const { failure, status, cause } = error;
  if (failure === 'too-large') return new AppError('FILE_TOO_LARGE', { cause });
  const refusal = refused[failure];
  if (refusal !== undefined) {
    return new AppError('ADDRESS_REFUSED', { field: 'url', ...(refusal !== null && { message: refusal }) });
  }
  const answered = `it answered ${status}.${forbidden.includes(status) ? ' The photo has to open without signing in.' : ''}`;
  const message = `We couldn't fetch this address: ${failure === 'status' ? answered : why[failure]}`;
  return new AppError('ADDRESS_NOT_FETCHED', { field: 'url', message, cause: error });
}
