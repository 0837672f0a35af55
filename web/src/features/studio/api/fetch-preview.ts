/** Fetches a preview. @returns undefined if a newer one has replaced it @throws if there is no reply */
export async function fetchPreview(url: string, signal: AbortSignal): Promise<Blob | undefined> {
  const reply = await fetch(url, { signal });
  return reply.ok ? reply.blob() : undefined;
}
