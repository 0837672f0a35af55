/** What tests set and read through the control endpoint: behaviours to come, calls seen, waits for both. */
import { EventEmitter, once } from 'node:events';
import type { Behaviour, ControlSettings } from './behaviour.ts';
import type { EditRequest } from './edits.ts';

/** One call to the edits endpoint that was understood, as `GET /control` shows it. */
export interface RecordedCall {
  at: string;
  requestId: string;
  model: string;
  prompt: string;
  size: string;
  quality: string;
  n: number;
  stream: boolean;
  partialImages: number;
  images: { bytes: number; sha256: string; width: number; height: number; format: string }[];
  /** `active` while it runs; then `completed`, `failed`, `client-left`, or the behaviour's kind. */
  outcome: string;
}

/** The whole state as `GET /control` answers it. */
export interface ControlState {
  calls: RecordedCall[];
  /** Calls that have begun and have no outcome yet. */
  active: number;
  /** Of those, the ones that wait for `POST /control/release`. */
  waiting: number;
}

/** A condition for `GET /control/wait`; all given numbers must be reached. `active: 0` means none is left. */
export interface WaitCondition {
  active?: number | undefined;
  waiting?: number | undefined;
  calls?: number | undefined;
}

/** Keeps the behaviours and the record of calls for one server. */
export class ImageServerControl {
  #queue: Behaviour[] = [];
  #default: Behaviour = { kind: 'ok' };
  #calls: RecordedCall[] = [];
  #active = 0;
  #waiting = 0;
  /** The window of a rate limit: when it ends, and the calls answered in it. */
  #window = { ends: 0, calls: 0 };
  #release = new AbortController();
  readonly #changes = new EventEmitter().setMaxListeners(0);
  /** Off, nothing is recorded: a long-running server must not keep every call it ever saw. */
  readonly #recording: boolean;

  constructor(recording: boolean) {
    this.#recording = recording;
  }

  /** Sets the queue for the next calls, the default for all others, or both. */
  configure(settings: ControlSettings): void {
    if (settings.behaviours !== undefined) this.#queue = [...settings.behaviours];
    if (settings.default !== undefined) {
      this.#default = settings.default;
      this.#window = { ends: 0, calls: 0 };
    }
  }

  /** Forgets behaviours and calls, and lets held calls go on. */
  reset(): void {
    this.#queue = [];
    this.#default = { kind: 'ok' };
    this.#calls = [];
    this.release();
  }

  /** Lets every call go on that is held now. */
  release(): void {
    this.#release.abort();
    this.#release = new AbortController();
  }

  /** What has been seen so far. */
  state(): ControlState {
    return { calls: this.#calls, active: this.#active, waiting: this.#waiting };
  }

  /** Records that a call began; the returned function records how it ended, the first time it is called. */
  begin(requestId: string, request: EditRequest): (outcome: string) => void {
    const call: RecordedCall = {
      at: new Date().toISOString(),
      requestId,
      model: request.model,
      prompt: request.prompt,
      size: request.size,
      quality: request.quality,
      n: request.count,
      stream: request.stream,
      partialImages: request.partialImages,
      images: request.images.map(({ bytes, ...facts }) => ({ bytes: bytes.length, ...facts })),
      outcome: 'active',
    };
    if (this.#recording) this.#calls.push(call);
    this.#active += 1;
    this.#changes.emit('change');
    return (outcome) => {
      if (call.outcome !== 'active') return;
      call.outcome = outcome;
      this.#active -= 1;
      this.#changes.emit('change');
    };
  }

  /** The behaviour of the next call: the head of the queue, or the default. */
  next(prompt: string): Behaviour {
    const next = this.#queue.shift() ?? this.#default;
    if (next.kind === 'error' && (next.prompt ?? prompt) !== prompt) return { kind: 'ok' };
    return next.kind === 'rate-limit' ? this.#limited(next) : next;
  }

  #limited({ calls, windowMs, retryAfter = true }: Extract<Behaviour, { kind: 'rate-limit' }>): Behaviour {
    const now = Date.now();
    if (now >= this.#window.ends) this.#window = { ends: now + windowMs, calls: 0 };
    this.#window.calls += 1;
    if (this.#window.calls <= calls) return { kind: 'ok' };
    const error = { kind: 'error', status: 429, code: 'rate_limit_exceeded', type: 'requests' } as const;
    return retryAfter ? { ...error, headers: { 'retry-after-ms': String(this.#window.ends - now) } } : error;
  }

  /** Waits for `release` or `reset`. @throws when the signal is aborted first (the client left) */
  async held(signal: AbortSignal): Promise<void> {
    const released = this.#release.signal;
    this.#waiting += 1;
    this.#changes.emit('change');
    try {
      await once(AbortSignal.any([released, signal]), 'abort');
      signal.throwIfAborted();
    } finally {
      this.#waiting -= 1;
      this.#changes.emit('change');
    }
  }

  /** Waits until the condition holds. @throws when the signal is aborted first */
  async until(condition: WaitCondition, signal: AbortSignal): Promise<ControlState> {
    while (!this.#holds(condition)) await once(this.#changes, 'change', { signal });
    return this.state();
  }

  #holds(condition: WaitCondition): boolean {
    const reached = (value: number, asked: number | undefined) =>
      asked === undefined || (asked === 0 ? value === 0 : value >= asked);
    return (
      reached(this.#active, condition.active) &&
      reached(this.#waiting, condition.waiting) &&
      this.#calls.length >= (condition.calls ?? 0)
    );
  }
}
