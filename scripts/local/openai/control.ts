/** The control endpoint: failures that can be simulated, recorded calls, and its routes. */

import { EventEmitter, once } from 'node:events';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { photoProblems } from '../../../shared/cutout/photo-problem.ts';
import type { EditRequest } from './edits.ts';
import { invalidRequest } from './errors.ts';

const wait = z.number().int().min(0).max(3_600_000);
const moderationSchema = z.strictObject({
  moderation_stage: z.enum(['input', 'output']),
  categories: z.array(z.string()),
});

const behaviourSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('ok') }),
  z.strictObject({
    kind: z.literal('slow'),
    /** Before the answer begins. */
    ms: z.number().int().min(0).max(3_600_000),
    /** After each preview of a stream. */
    previewMs: z.number().int().min(0).max(3_600_000).optional(),
    headers: z.record(z.string(), z.string()).optional(),
  }),
  /** The headers and the first event of a stream come late, and parts of it slowly. */
  z.strictObject({
    kind: z.literal('late'),
    headersMs: wait.optional(),
    /** From the headers to the first event. */
    eventMs: wait.optional(),
    /** Comments between the headers and the first event, each after this time. */
    commentsMs: wait.min(1).optional(),
    /** Bytes of the first event that are sent one by one, and the time after each. */
    dribble: z.strictObject({ bytes: z.number().int().min(1), everyMs: wait }).optional(),
    /** Nothing comes after the first event. */
    thenStall: z.literal(true).optional(),
  }),
  /** Something is sent without an end: comments, one event, or the body of an error with this status. */
  z.strictObject({
    kind: z.literal('endless'),
    what: z.enum(['comments', 'event', 'error']),
    status: z.number().int().min(400).max(599).optional(),
  }),
  /** The last event of a stream has no blank line after it, or not even the end of its line. */
  z.strictObject({ kind: z.literal('no-blank-line'), lineEnds: z.boolean() }),
  z.strictObject({
    kind: z.literal('error'),
    /** Affects only calls with this prompt. */
    prompt: z.string().optional(),
    status: z.number().int().min(400).max(599),
    code: z.string().nullable(),
    type: z.string(),
    message: z.string().optional(),
    param: z.string().nullable().optional(),
    moderation: moderationSchema.optional(),
    /** Which photo cannot be used and why. */
    photo: z.strictObject({ problem: z.enum(photoProblems), photo: z.number().nullable() }).optional(),
    headers: z.record(z.string(), z.string()).optional(),
  }),
  z.strictObject({
    kind: z.literal('rate-limit'),
    /** The number of calls in each window; a window begins with its first call. */
    calls: z.number().int().min(1),
    windowMs: z.number().int().min(1).max(3_600_000),
  }),
  z.strictObject({
    kind: z.literal('limits'),
    /** Calls in any window, and its length; the answers have `x-ratelimit` headers then. */
    perWindow: z.number().int().min(1).optional(),
    windowMs: z.number().int().min(1).max(3_600_000),
    /** Calls at the same time. */
    inFlight: z.number().int().min(1).optional(),
    /** How long a call takes. */
    ms: z.number().int().min(0).max(3_600_000),
  }),
  /** The last event of a stream reports this usage; null for none. */
  z.strictObject({ kind: z.literal('usage'), usage: z.unknown() }),
  /** The image has one colour. */
  z.strictObject({ kind: z.literal('blank') }),
  /** The image is the first photo, scaled and cropped to the size. */
  z.strictObject({ kind: z.literal('copy') }),
  /** The image changes everywhere, also outside of the mask. */
  z.strictObject({ kind: z.literal('ignore-mask') }),
  z.strictObject({ kind: z.literal('stall') }),
  z.strictObject({ kind: z.literal('stall-before') }),
  z.strictObject({ kind: z.literal('cut') }),
  z.strictObject({ kind: z.literal('truncate') }),
  z.strictObject({
    kind: z.literal('stream-error'),
    /** `line`: a line of JSON that is no event. */
    shape: z.enum(['nested', 'flat', 'line']),
    /** Default `server_error`. */
    code: z.string().optional(),
    /** Default `server_error`; a flat error has none. */
    type: z.string().optional(),
    moderation: moderationSchema.optional(),
  }),
  z.strictObject({
    kind: z.literal('invalid-response'),
    what: z.enum(['not-json', 'empty-data', 'not-an-image', 'wrong-size', 'html']),
  }),
  z.strictObject({
    kind: z.literal('hold'),
    /**
     * By default the call is held before anything is sent; `previews` holds a streamed call after its last preview.
     */
    after: z.literal('previews').optional(),
  }),
]);

/** What a call does instead of, or before, its normal reply. */
export type Behaviour = z.infer<typeof behaviourSchema>;

/** The body of `POST /control`: a queue of behaviours for the next calls, and the default for all others. */
const controlSettingsSchema = z.strictObject({
  behaviours: z.array(behaviourSchema).optional(),
  default: behaviourSchema.optional(),
});
/** See `controlSettingsSchema`. */
export type ControlSettings = z.infer<typeof controlSettingsSchema>;

type Limits = Extract<Behaviour, { kind: 'limits' }>;

/** Counts the calls of one server. */
class CallLimits {
  /** When the calls were admitted that still count. */
  #admitted: number[] = [];
  readonly #running = new Set<string>();

  /** Forgets all calls. */
  clear(): void {
    this.#admitted = [];
    this.#running.clear();
  }

  /** @returns what the call does: it is admitted, or refused with 429 */
  admit(limits: Limits, requestId: string): Behaviour {
    const { perWindow, windowMs, inFlight, ms } = limits;
    const now = Date.now();
    this.#admitted = this.#admitted.filter((at) => at > now - windowMs);
    const headers = () => this.#headers(limits, now);
    const isFull = inFlight !== undefined && this.#running.size >= inFlight;
    if (isFull || (perWindow !== undefined && this.#admitted.length >= perWindow)) {
      const type = isFull ? 'concurrency' : 'requests';
      return { kind: 'error', status: 429, code: 'rate_limit_exceeded', type, headers: headers() };
    }
    this.#admitted.push(now);
    this.#running.add(requestId);
    return { kind: 'slow', ms, headers: headers() };
  }

  /** Counts the end of a call. */
  end(requestId: string): void {
    this.#running.delete(requestId);
  }

  #headers({ perWindow, windowMs }: Limits, now: number): Record<string, string> {
    if (perWindow === undefined) return {};
    const last = this.#admitted.at(-1) ?? now - windowMs;
    return {
      'x-ratelimit-limit-requests': String(perWindow),
      'x-ratelimit-remaining-requests': String(perWindow - this.#admitted.length),
      'x-ratelimit-reset-requests': `${last + windowMs - now}ms`,
    };
  }
}

/** A valid call to the edits endpoint, as `GET /control` shows it. */
interface RecordedCall {
  at: string;
  requestId: string;
  model: string;
  prompt: string;
  size: string;
  quality: string;
  background: string;
  n: number;
  stream: boolean;
  partialImages: number;
  seed: number | undefined;
  inputFidelity: string | undefined;
  safetyIdentifier: string | undefined;
  /** Whether only an area may change. */
  masked: boolean;
  images: { bytes: number; sha256: string; width: number; height: number; format: string }[];
  /** `active` while it runs; then `completed`, `failed`, `client-left`, or the kind of the behaviour. */
  outcome: string;
}

/** The reply of `GET /control`. */
export interface ControlState {
  calls: RecordedCall[];
  /** Calls that have started and have no outcome yet. */
  active: number;
  /** Of those, the calls that wait for `POST /control/release`. */
  waiting: number;
}

/** The condition of `GET /control/wait`; all given numbers must be reached. `active: 0` means that none is left. */
export interface WaitCondition {
  active?: number | undefined;
  waiting?: number | undefined;
  calls?: number | undefined;
}

/** The behaviours and recorded calls of one server. */
export class ImageServerControl {
  #queue: Behaviour[] = [];
  #default: Behaviour = { kind: 'ok' };
  #calls: RecordedCall[] = [];
  #active = 0;
  #waiting = 0;
  /** The current rate limit window: its end, and the number of calls in it. */
  #window = { ends: 0, calls: 0 };
  readonly #limits = new CallLimits();
  #release = new AbortController();
  readonly #changes = new EventEmitter().setMaxListeners(0);
  /** Off by default, because a long-running server must not keep every call. */
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
      this.#limits.clear();
    }
  }

  /** Clears behaviours and recorded calls, and releases held calls. */
  reset(): void {
    this.#queue = [];
    this.#default = { kind: 'ok' };
    this.#calls = [];
    this.release();
  }

  /** Releases every call that is held now. */
  release(): void {
    this.#release.abort();
    this.#release = new AbortController();
  }

  /** The state so far. */
  state(): ControlState {
    return { calls: this.#calls, active: this.#active, waiting: this.#waiting };
  }

  /** Records the start of a call; the returned function records its outcome when it is first called. */
  begin(requestId: string, request: EditRequest): (outcome: string) => void {
    const call: RecordedCall = {
      at: new Date().toISOString(),
      requestId,
      model: request.model,
      prompt: request.prompt,
      size: `${request.width}x${request.height}`,
      quality: request.quality,
      background: request.background,
      n: 1,
      stream: request.stream,
      partialImages: request.partialImages,
      seed: request.seed,
      inputFidelity: request.inputFidelity,
      safetyIdentifier: request.safetyIdentifier,
      masked: request.mask !== undefined,
      images: request.images.map(({ bytes, ...facts }) => ({ bytes: bytes.length, ...facts })),
      outcome: 'active',
    };
    if (this.#recording) this.#calls.push(call);
    this.#active += 1;
    this.#changes.emit('change');
    return (outcome) => {
      if (call.outcome !== 'active') return;
      call.outcome = outcome;
      this.#limits.end(requestId);
      this.#active -= 1;
      this.#changes.emit('change');
    };
  }

  /** The behaviour of the next call: the head of the queue, or the default. */
  next(prompt: string, requestId: string): Behaviour {
    const next = this.#queue.shift() ?? this.#default;
    if (next.kind === 'error' && (next.prompt ?? prompt) !== prompt) return { kind: 'ok' };
    if (next.kind === 'limits') return this.#limits.admit(next, requestId);
    return next.kind === 'rate-limit' ? this.#limited(next) : next;
  }

  #limited({ calls, windowMs }: Extract<Behaviour, { kind: 'rate-limit' }>): Behaviour {
    const now = Date.now();
    if (now >= this.#window.ends) this.#window = { ends: now + windowMs, calls: 0 };
    this.#window.calls += 1;
    if (this.#window.calls <= calls) return { kind: 'ok' };
    const headers = { 'retry-after-ms': String(this.#window.ends - now) };
    return { kind: 'error', status: 429, code: 'rate_limit_exceeded', type: 'requests', headers };
  }

  /** Waits for `release` or `reset`. @throws when the signal is aborted first (the client disconnected) */
  async held(signal: AbortSignal): Promise<void> {
    // A signal that is aborted already emits no event.
    signal.throwIfAborted();
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

  /** Waits until the condition is met. @throws when the signal is aborted first */
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

const waitSchema = z.object({
  active: z.coerce.number().int().min(0).optional(),
  waiting: z.coerce.number().int().min(0).optional(),
  calls: z.coerce.number().int().min(0).optional(),
});

/** Adds the control routes to a server. */
export function addControlRoutes(app: FastifyInstance, control: ImageServerControl): void {
  app.get('/control', async () => control.state());

  app.post('/control', async (request) => {
    const settings = controlSettingsSchema.safeParse(request.body);
    if (!settings.success) throw invalidRequest(z.prettifyError(settings.error), 'body', 'invalid_value');
    control.configure(settings.data);
    return control.state();
  });

  app.post('/control/release', async () => {
    control.release();
    return control.state();
  });

  app.post('/control/reset', async () => {
    control.reset();
    return control.state();
  });

  app.get('/control/wait', async (request, reply) => {
    const condition = waitSchema.safeParse(request.query);
    if (!condition.success) throw invalidRequest(z.prettifyError(condition.error), 'query', 'invalid_value');
    const left = new AbortController();
    reply.raw.once('close', () => left.abort());
    return control.until(condition.data, left.signal);
  });
}
