import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';

/**
 * What belongs together: a request, and everything that is done because of it in any process. The id is in all log lines
 * about it and is what sellers see as `requestId`, also while no traces are recorded (docs/decisions/0068-traces.md).
 */
export interface Trace {
  /** 32 hexadecimal digits, as in W3C's `traceparent`. */
  id: string;
  /** The span that further spans are below, 16 hexadecimal digits; null where there is none. */
  parent: string | null;
}

/** What records spans. Only shared/tracing/ makes one, when an endpoint for traces is set. */
export interface SpanRecorder {
  /** Runs a function with its spans in a trace: below the span that is active, if that is in the same trace. */
  within<Result>(trace: Trace, run: () => Result): Result;
  /** The id of the span that is active; null for none. */
  activeSpan(): string | null;
  /** Adds attributes to the span that is active. */
  annotate(attributes: SpanAttributes): void;
  /** Runs a call to another service in a span of its own, which is told the status of the answer. */
  call<Result>(method: string, address: URL, run: (answered: Answered) => Promise<Result>): Promise<Result>;
}

/** Says the status of an HTTP answer. */
export type Answered = (status: number) => void;

/** What spans say about Packshot: ids and numbers only, never what a seller wrote or uploaded. */
export interface SpanAttributes {
  generation?: string;
  seller?: string;
  /** The attempt of the generation. */
  fence?: number;
}

const current = new AsyncLocalStorage<Trace>();
let recorder: SpanRecorder | null = null;

/** Sets what records the spans of this process; null for nothing. */
export function recordSpansWith(newRecorder: SpanRecorder | null): void {
  recorder = newRecorder;
}

/** A trace of its own. */
export function newTrace(): Trace {
  // Node asks the system for the randomness of many of them at once.
  return { id: randomUUID().replaceAll('-', ''), parent: null };
}

/** The trace that runs; undefined outside of one. */
export function currentTrace(): Trace | undefined {
  return current.getStore();
}

/** Runs a function, and everything that it starts, in a trace. */
export function inTrace<Result>(trace: Trace, run: () => Result): Result {
  return current.run(trace, recorder ? () => recorder!.within(trace, run) : run);
}

/** Runs a function in the trace of a stored document; in one of its own if there is none. */
export function inTraceOf<Result>(document: { trace?: Trace | undefined }, run: () => Result): Result {
  return inTrace(document.trace ?? newTrace(), run);
}

/** What a document stores so that later work on it belongs to the trace that runs now. */
export function traceToStore(): Trace {
  const { id, parent } = current.getStore() ?? newTrace();
  return { id, parent: recorder?.activeSpan() ?? parent };
}

/** Says in the active span what it is about. Does nothing while no traces are recorded. */
export function annotateSpan(attributes: SpanAttributes): void {
  recorder?.annotate(attributes);
}

/**
 * Records a call to another service that another thread makes, which spans do not reach. Other calls are recorded where
 * they are made. Without a recorder it only runs the call.
 */
export function recordCall<Result>(
  method: string,
  address: URL,
  run: (answered: Answered) => Promise<Result>,
): Promise<Result> {
  return recorder ? recorder.call(method, address, run) : run(() => {});
}

/** Reads W3C's header `traceparent`. @returns null unless it is valid */
export function parseTraceparent(header: unknown): Trace | null {
  if (typeof header !== 'string') return null;
  const [, version, id, parent] =
    /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}/.exec(header) ?? [];
  if (!id || !parent || version === 'ff' || /^0+$/.test(id) || /^0+$/.test(parent)) return null;
  // Later versions may append fields; this one has a fixed length.
  if (version === '00' && header.length !== 55) return null;
  return { id, parent };
}
