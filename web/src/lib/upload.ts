import type { z } from 'zod';
import { ApiError, networkError, readReply } from './api.ts';
import { noteServerTime } from './clock.ts';

export interface Upload<T> {
  path: string;
  form: FormData;
  headers: Record<string, string>;
  schema: z.ZodType<T>;
  /** Called with the part of the body that has left this machine, 0 to 1. */
  onProgress: (part: number) => void;
  signal: AbortSignal;
}

/**
 * Sends a multipart form. XMLHttpRequest, because `fetch` cannot say how much of a body has been sent.
 * @throws ApiError
 */
export function upload<T>({ path, form, headers, schema, onProgress, signal }: Upload<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const aborted = () => reject(new ApiError('ABORTED', 'The upload was stopped.'));
    if (signal.aborted) return aborted();
    request.open('POST', path);
    request.setRequestHeader('accept', 'application/json');
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) onProgress(event.loaded / event.total);
    };
    request.onload = () => {
      noteServerTime(request.getResponseHeader('date'));
      try {
        resolve(readReply(request.status, request.responseText, schema));
      } catch (error) {
        reject(error);
      }
    };
    request.onerror = () => reject(networkError());
    request.ontimeout = () => reject(networkError());
    request.onabort = aborted;
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(form);
  });
}
