import type { z } from 'zod';
import { ApiError, networkError, readReply } from './api.ts';
import { recordServerTime } from './clock.ts';
import { trackUpload } from './leaving.ts';

interface Upload<T> {
  path: string;
  form: FormData;
  headers: Record<string, string>;
  /** The body of a successful reply. */
  schema: z.ZodType<T>;
  /** Called with the fraction of the body that was sent, 0 to 1. */
  onProgress: (fraction: number) => void;
  signal: AbortSignal;
}

/**
 * Posts a multipart form. Uses XMLHttpRequest because `fetch` does not report upload progress.
 * @throws ApiError; ABORTED after `signal`
 */
export function upload<T>({ path, form, headers, schema, onProgress, signal }: Upload<T>): Promise<T> {
  const sent = new Promise<T>((resolve, reject) => {
    const request = new XMLHttpRequest();
    const onAbort = () => reject(new ApiError('ABORTED', 'The upload was cancelled.'));
    if (signal.aborted) return onAbort();
    request.open('POST', path);
    request.setRequestHeader('accept', 'application/json');
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) onProgress(event.loaded / event.total);
    };
    request.onload = () => {
      recordServerTime(request.getResponseHeader('date'));
      try {
        resolve(readReply(request.status, request.responseText, schema));
      } catch (error) {
        reject(error);
      }
    };
    request.onerror = () => reject(networkError());
    request.ontimeout = () => reject(networkError());
    request.onabort = onAbort;
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(form);
  });
  return trackUpload(sent);
}
