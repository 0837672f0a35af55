/** The thread that makes the worker's calls to the provider (docs/decisions/0078-provider-answers.md). */
import { parentPort, workerData } from 'node:worker_threads';
import type { CallInput, ProviderError } from '../provider.ts';
import { createCall } from './call.ts';
import type { Order, ReadyReport, Report, SentError, ThreadSettings } from './messages.ts';

const call = createCall(workerData as ThreadSettings);
const running = new Map<number, AbortController>();

/** @param bytes whose memory is handed over instead of copied */
const report = (message: Report, bytes?: Uint8Array<ArrayBuffer>) =>
  parentPort!.postMessage(message, bytes ? [bytes.buffer] : []);

parentPort!.on('message', (order: Order) => {
  if (order.type === 'call') void run(order.id, order.input);
  else running.get(order.id)?.abort();
});

parentPort!.postMessage({ type: 'ready' } satisfies ReadyReport);

async function run(id: number, input: CallInput): Promise<void> {
  const stop = new AbortController();
  running.set(id, stop);
  try {
    const output = await call(input, {
      signal: stop.signal,
      onAccepted: (announcement) => report({ id, type: 'accepted', announcement }),
      onPreview: (png, index) => report({ id, type: 'preview', png, index }, png),
    });
    report({ id, type: 'image', output }, output.image);
  } catch (error) {
    report({ id, type: 'error', error: sentError(error as ProviderError) });
  } finally {
    running.delete(id);
  }
}

function sentError({
  kind,
  message,
  status,
  code,
  requestId,
  retryAfterMs,
  moderation,
  photo,
  cause,
}: ProviderError): SentError {
  return { kind, message, details: { status, code, requestId, retryAfterMs, moderation, photo, cause } };
}
