import { paths } from '#contract';
import { networkError, readReply } from '#web/lib/api.ts';

/**
 * Fetches a photo from its https address by the server, as the file that the address names. @throws ApiError
 * @param signal ends it; then it throws the signal's reason
 */
export async function fetchPhoto(url: string, signal?: AbortSignal): Promise<File> {
  let reply: Response;
  let content: Blob;
  try {
    reply = await fetch(paths.photoAddresses, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ url }),
      ...(signal && { signal }),
    });
    content = await reply.blob();
  } catch (error) {
    if (signal?.aborted) throw error;
    throw networkError();
  }
  const name = fileNameIn(reply.headers.get('content-disposition'));
  if (reply.status === 200 && content.type.startsWith('image/') && name !== undefined) {
    return new File([content], name, { type: content.type });
  }
  // An error of the API, or what something between here and the server has answered.
  return readReply(reply.status, await content.text(), noContent);
}

/** A reply that is never right, so that `readReply` says what is wrong. */
const noContent = { status: 204, check: 'Please try again.' } as const;

/** The name in `Content-Disposition`, as RFC 8187 writes it. */
function fileNameIn(disposition: string | null): string | undefined {
  const name = /filename\*=UTF-8''([^;]+)/.exec(disposition ?? '')?.[1];
  return name === undefined ? undefined : decodeURIComponent(name);
}
