import { Worker } from 'node:worker_threads';
import { imageCapabilitiesOf } from '#shared/contract/image-providers.ts';
import type { Config } from '#shared/platform/config.ts';
import { recordCall } from '#shared/platform/trace.ts';
import {
  type CallOutput,
  type Provider,
  ProviderError,
  type ProviderRequest,
  type ProviderResult,
} from '../provider.ts';
import { findModelProblem } from './find-model.ts';
import type { Order, ReadyReport, Report, ThreadSettings } from './messages.ts';

/** A call whose end has not been reported. */
interface RunningCall extends Pick<ProviderRequest, 'onAccepted' | 'onPreview'> {
  resolve(output: CallOutput): void;
  reject(error: ProviderError): void;
}

interface Thread {
  worker: Worker;
  /** Its calls that are under way. */
  calls: Map<number, RunningCall>;
  ready: Promise<void>;
}

/** Buffers of a young generation that is larger would stay for longer than its collections save. */
const resourceLimits = { maxYoungGenerationSizeMb: 8 };

/**
 * Calls the provider in a thread of its own, which starts with the first call. Its small heap is collected fast, while
 * answers of several megabytes go through it (docs/decisions/0078-provider-answers.md).
 */
export function startOpenAi(config: Config['image']): Provider {
  const { apiKey, baseUrl, identifiesSellers, model, previews, timeoutMs, stallMs } = config;
  const takesSeeds = imageCapabilitiesOf(config).seed;
  const settings: ThreadSettings = {
    apiKey,
    baseUrl,
    identifiesSellers,
    model,
    previews,
    timeoutMs,
    stallMs,
    takesSeeds,
  };
  const address = new URL(baseUrl ?? 'https://api.openai.com');
  let thread: Thread | undefined;
  const closing = new AbortController();
  let lastId = 0;

  function start(): Thread {
    const program = new URL('./thread.ts', import.meta.url);
    const worker = new Worker(program, { workerData: settings, resourceLimits });
    const calls: Thread['calls'] = new Map();
    const { promise: ready, resolve: isReady } = Promise.withResolvers<void>();
    const started = { worker, calls, ready };
    let reason: unknown;
    worker.on('message', (report: Report | ReadyReport) => {
      if (report.type === 'ready') return isReady();
      const call = calls.get(report.id);
      if (call) receive(report, call);
    });
    worker.on('error', (error) => {
      reason = error;
    });
    worker.on('exit', () => {
      if (thread === started) thread = undefined;
      isReady();
      // The provider may have executed them.
      const error = new ProviderError('server', 'the thread of the call ended', { cause: reason });
      for (const { reject } of calls.values()) reject(error);
    });
    // A process that has nothing else to do ends.
    worker.unref();
    return started;
  }

  async function call({
    signal,
    onAccepted,
    onPreview,
    generation: _,
    ...input
  }: ProviderRequest): Promise<ProviderResult> {
    // The thread might send the request before it reads the message that stops it.
    if (signal.aborted) throw new ProviderError('aborted', 'the call was stopped');
    lastId += 1;
    const id = lastId;
    thread ??= start();
    const { worker, calls } = thread;
    const { promise, resolve, reject } = Promise.withResolvers<CallOutput>();
    const send = (order: Order) => worker.postMessage(order);
    const stop = () => send({ type: 'stop', id });
    calls.set(id, { onAccepted, onPreview, resolve, reject });
    try {
      send({ type: 'call', id, input });
      signal.addEventListener('abort', stop, { once: true });
      const output = await promise;
      return { ...output, image: bufferOf(output.image) };
    } finally {
      signal.removeEventListener('abort', stop);
      calls.delete(id);
    }
  }

  return {
    ready() {
      thread ??= start();
      return thread.ready;
    },
    edit: (request) =>
      recordCall('POST', address, async (answered) => {
        try {
          const result = await call(request);
          answered(200);
          return result;
        } catch (error) {
          if (error instanceof ProviderError && error.status !== null) answered(error.status);
          throw error;
        }
      }),
    modelProblem: () => findModelProblem(config, closing.signal),
    async close() {
      closing.abort();
      await thread?.worker.terminate();
    },
  };
}

function receive(report: Report, call: RunningCall): void {
  if (report.type === 'accepted') call.onAccepted(report.announcement);
  else if (report.type === 'preview') call.onPreview(bufferOf(report.png), report.index);
  else if (report.type === 'image') call.resolve(report.output);
  else {
    const { kind, message, details } = report.error;
    call.reject(new ProviderError(kind, message, details));
  }
}

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  Buffer.from(buffer, byteOffset, byteLength);
