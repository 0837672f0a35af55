import { batchPhotoReplySchema, paths } from '#contract';
import { networkError, readReply } from '#web/lib/api.ts';

/** The server is busy: the photo is to be sent again after some seconds. */
export class TryLater extends Error {
  override name = 'TryLater';
  readonly seconds: number;

  constructor(seconds: number) {
    super(`try again in ${seconds} s`);
    this.seconds = seconds;
  }
}

const defaultSeconds = 3;

/** Uploads a photo of a batch. @throws ApiError; TryLater */
export async function uploadPhoto(batchId: string, sha256: string, file: File): Promise<void> {
  const form = new FormData();
  form.append('images', file);
  let reply: Response;
  let text: string;
  try {
    reply = await fetch(paths.batchPhoto(batchId, sha256), { method: 'PUT', body: form });
    text = await reply.text();
  } catch {
    throw networkError();
  }
  if (reply.status === 429 || (reply.status >= 502 && reply.status <= 504)) {
    throw new TryLater(Number(reply.headers.get('retry-after')) || defaultSeconds);
  }
  readReply(reply.status, text, batchPhotoReplySchema);
}
