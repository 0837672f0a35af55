import { limits, type WebhookFailure, webhookWaits } from '#contract';
import type { WebhookEndpointRow } from '#shared/data/webhooks/endpoints.ts';
import { OutboundError, type OutboundFailure } from '#shared/outbound/outbound-error.ts';

/* What follows from a try: when it is repeated, how long its endpoint rests, and when it is switched off. */

/** What an endpoint answered to a try, or why it did not. */
export interface Answer {
  status: number | null;
  failure: WebhookFailure | null;
  /** The header `Retry-After`. */
  retryAfter: string | undefined;
  reply: string;
}

/** A reply as an answer: only 2xx is success. */
export function answerOf({
  status,
  retryAfter,
  body,
}: {
  status: number;
  retryAfter: string | undefined;
  body: string;
}): Answer {
  const isSuccess = status >= 200 && status < 300;
  const failure = isSuccess ? null : status >= 300 && status < 400 ? 'redirect' : 'status';
  return { status, failure, retryAfter, reply: body };
}

/** Failures that sellers are told by another name. */
const toldAs: Partial<Record<OutboundFailure, WebhookFailure>> = {
  timeout: 'timeout',
  certificate: 'certificate',
  unreachable: 'unreachable',
};

/** An error of a call as an answer. @throws any other error */
export function answerOfError(error: unknown): Answer {
  if (!(error instanceof OutboundError)) throw error;
  // Whatever else is wrong with an address, it is none that we may call.
  const failure = toldAs[error.failure] ?? 'not-public';
  return { status: null, failure, retryAfter: undefined, reply: '' };
}

/** What a wait may be longer by, so that what failed at the same time is not repeated at the same time. */
const jitter = 0.1;

/** The longest wait that an endpoint can ask for, in ms. */
const retryAfterMostMs = 3_600_000;

/**
 * When a delivery is tried again.
 * @param tries those so far, from 1
 * @returns null when it is given up
 */
export function nextTry(tries: number, answer: Answer, now: number): Date | null {
  const seconds = webhookWaits[tries - 1];
  if (seconds === undefined) return null;
  const usualMs = seconds * 1_000 * (1 + Math.random() * jitter);
  return new Date(now + Math.max(usualMs, askedWaitMs(answer, now)));
}

/** How long an endpoint asked to wait, in ms, within bounds; 0 if it did not. */
export function askedWaitMs({ status, retryAfter }: Answer, now: number): number {
  if ((status !== 429 && status !== 503) || retryAfter === undefined) return 0;
  const ms = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1_000 : Date.parse(retryAfter) - now;
  return Number.isNaN(ms) ? 0 : Math.min(Math.max(ms, 0), retryAfterMostMs);
}

/** The longest rest of an endpoint that did not ask for one, in ms. */
const restMostMs = 300_000;

/**
 * How long nothing is sent to an endpoint after a failed try, in ms: 1 s, doubling up to five minutes. One that hangs takes a
 * worker's time only so often.
 * @param tries failed tries in a row, from 1
 */
export function restMs(tries: number, answer: Answer, now: number): number {
  return Math.max(Math.min(restMostMs, 1_000 * 2 ** (tries - 1)), askedWaitMs(answer, now));
}

/** Failures that are further apart than this are not one row of failures, in ms: the longest wait between two tries is shorter. */
const apartMs = 2 * 86_400_000;

/** The row of failures of an endpoint after another one. */
export function failingAfter(
  failing: WebhookEndpointRow['failing'],
  now: Date,
): NonNullable<WebhookEndpointRow['failing']> {
  const goesOn = failing !== null && now.getTime() - failing.last.getTime() < apartMs;
  return { since: goesOn ? failing.since : now, last: now, tries: goesOn ? failing.tries + 1 : 1 };
}

/** Whether an endpoint has failed for so long that it is switched off. */
export function hasFailedTooLong({ since, last }: NonNullable<WebhookEndpointRow['failing']>): boolean {
  return last.getTime() - since.getTime() >= limits.webhookFailingDays * 86_400_000;
}
