import { isIP } from 'node:net';
import { OutboundError, type OutboundFailure } from '#shared/outbound/outbound-error.ts';
import { isPublicAddress, readWebhookUrl } from '#shared/outbound/public-address.ts';
import type { Config } from '#shared/platform/config.ts';
import { AppError } from '#shared/platform/errors.ts';

const reasons: Partial<Record<OutboundFailure, string>> = {
  invalid: 'it has to begin with https://.',
  credentials: 'leave out the user name and password.',
  port: 'it has to use the usual port of https, 443.',
  'not-public': 'it has to be on the public internet.',
};

/**
 * Checks the address of a webhook as far as its text says. Where its name leads to is checked with each connection.
 * @throws AppError ADDRESS_REFUSED
 */
export function checkUrl(url: string, { toLoopback }: Config['webhooks']): void {
  try {
    const { host, isOwn } = readWebhookUrl(url, toLoopback);
    if (!isOwn && isIP(host) !== 0 && !isPublicAddress(host)) throw new OutboundError('not-public');
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    throw new AppError('ADDRESS_REFUSED', {
      message: `We can't send to this address: ${reasons[error.failure] ?? 'it is not valid.'}`,
      field: 'url',
    });
  }
}
