/** Fetches a preview. @returns undefined when it is not the newest any more @throws when no answer comes */
export async function fetchPreview(url: string, signal: AbortSignal): Promise<Blob | undefined> {
  const reply = await fetch(url, { signal });
  return reply.ok ? reply.blob() : undefined;
}
