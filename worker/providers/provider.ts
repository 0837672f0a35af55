import type { GenerationOptions, ImageQuality, Moderation } from '#contract';
import type { PhotoFault } from '#shared/cutout/photo-problem.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import type { Announcement } from '#shared/provider/limiter.ts';

/* What an image provider is to the worker. docs/provider.md says how one is added. */

export type { Moderation };

/** What a call is made with. */
export interface CallInput extends Pick<GenerationOptions, 'width' | 'height' | 'background' | 'seed'> {
  /** Id of the seller. A provider is told at most something that stands for it. */
  seller: string;
  prompt: string;
  /**
   * The image to change, if there is one, and the photos in the seller's order, each with its media type: PNG or JPEG. All
   * are sent.
   */
  photos: Blob[];
  /** PNG of the size of the first file: where it is transparent, that may change. Null for everywhere. */
  mask: Uint8Array | null;
  quality: ImageQuality;
}

/** What a call is answered with. */
export interface CallOutput<Bytes extends Uint8Array = Uint8Array> {
  image: Bytes;
  requestId: string | null;
  /** From sending the request to the end of the answer. */
  milliseconds: number;
  usage: unknown;
}

export interface ProviderRequest extends CallInput {
  /** What the call is for. Only the provider of the sandbox reads it. */
  generation: GenerationRow;
  signal: AbortSignal;
  /** Called when the provider has the photos and begins its answer, with what it says about further calls. */
  onAccepted: (announcement: Announcement | null) => void;
  /** Called with each preview (PNG); `index` counts from 0. */
  onPreview: (png: Buffer, index: number) => void;
}

export type ProviderResult = CallOutput<Buffer>;

export interface Provider {
  /**
   * Gets ready for a call, which may take seconds on a slow machine: a call that is counted before arrives too late for the
   * limit a minute. @returns when it takes calls, or has failed to start
   */
  ready(): Promise<void>;
  /** Requests one image. @throws ProviderError */
  edit(request: ProviderRequest): Promise<ProviderResult>;
  /**
   * Asks whether the model of this installation exists. @returns in words for the operator what is wrong with the model or
   * the account; null if nothing is, or the provider does not say @throws when the provider cannot be asked
   */
  modelProblem(): Promise<string | null>;
  /** Ends what it runs; calls that are under way fail. */
  close(): Promise<void>;
}

/**
 * Why a call gave no image:
 * - `rejected`: the provider refused the request and would refuse it again
 * - `content`: its content policy refused the scene or a photo
 * - `photos`: it cannot read or use a photo
 * - `account`: our key, organisation, budget or model; no seller can change that, and every image would meet it
 * - `busy`: refused for now and certainly not executed (429, connection refused, an overloaded server)
 * - `server`: a server error or an interrupted answer; it may have been executed
 * - `stalled`: the reply stalled, or did not begin for nearly the whole time
 * - `timeout`: the whole call took too long
 * - `invalid_response`: an answer without a usable image
 * - `aborted`: we stopped it
 */
export type ProviderErrorKind =
  | 'rejected'
  | 'content'
  | 'photos'
  | 'account'
  | 'busy'
  | 'server'
  | 'stalled'
  | 'timeout'
  | 'invalid_response'
  | 'aborted';

export class ProviderError extends Error {
  override name = 'ProviderError';
  readonly kind: ProviderErrorKind;
  readonly status: number | null;
  readonly code: string | null;
  readonly requestId: string | null;
  /** How long the provider asks us to wait, in ms. */
  readonly retryAfterMs: number | undefined;
  /** What its moderation says; null for all other errors. */
  readonly moderation: Moderation | null;
  /** Which photo it cannot use, and why; null for all other errors, and if it does not say. */
  readonly photo: PhotoFault | null;

  constructor(
    kind: ProviderErrorKind,
    message: string,
    details: {
      status?: number | null | undefined;
      code?: string | null | undefined;
      requestId?: string | null | undefined;
      retryAfterMs?: number | undefined;
      moderation?: Moderation | null;
      photo?: PhotoFault | null;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: details.cause });
    this.kind = kind;
    this.status = details.status ?? null;
    this.code = details.code ?? null;
    this.requestId = details.requestId ?? null;
    this.retryAfterMs = details.retryAfterMs;
    this.moderation = details.moderation ?? null;
    this.photo = details.photo ?? null;
  }
}
