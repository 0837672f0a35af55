/** What the worker's main thread and the thread of its provider calls send each other. */
import type { Config } from '#shared/platform/config.ts';
import type { Announcement } from '#shared/provider/limiter.ts';
import type { CallInput, CallOutput, ProviderError, ProviderErrorKind } from '../provider.ts';

/** What the thread is started with. */
export interface ThreadSettings
  extends Pick<
    Config['image'],
    'apiKey' | 'baseUrl' | 'identifiesSellers' | 'model' | 'previews' | 'timeoutMs' | 'stallMs'
  > {
  /** Whether the provider takes the seed of an image. */
  takesSeeds: boolean;
}

/** To the thread. Calls are numbered by the main thread. */
export type Order = { type: 'call'; id: number; input: CallInput } | { type: 'stop'; id: number };

/** From the thread, once: it takes calls. */
export interface ReadyReport {
  type: 'ready';
}

/** From the thread: any number of announcements and previews of a call, then its image or its error. */
export type Report = { id: number } & (
  | { type: 'accepted'; announcement: Announcement | null }
  | { type: 'preview'; png: Uint8Array; index: number }
  | { type: 'image'; output: CallOutput }
  | { type: 'error'; error: SentError }
);

/** A ProviderError as it is sent: of an error's own fields, the copy for another thread has only its message. */
export interface SentError {
  kind: ProviderErrorKind;
  message: string;
  details: Omit<ProviderError, keyof Error | 'kind'> & {
    /** Of the first error, for the log. */
    cause: unknown;
  };
}
