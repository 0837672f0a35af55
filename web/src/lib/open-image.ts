/** The longest time that a browser may take to open a picture, in ms. */
const openTimeoutMs = 15_000;

/**
 * Opens a picture.
 * @param url from another origin, its pixels can be read if the server of it allows that
 * @returns the image, upright; or why there is none: the browser refuses it, or does not answer
 */
export async function openImage(url: string): Promise<HTMLImageElement | 'refused' | 'unanswered'> {
  const image = new Image();
  // The server then sends the image itself: the pixels of one from another origin cannot be read.
  image.crossOrigin = 'use-credentials';
  image.src = url;
  const opened = image.decode().then(
    () => image,
    () => 'refused' as const,
  );
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLong = new Promise<'unanswered'>((resolve) => {
    timer = setTimeout(resolve, openTimeoutMs, 'unanswered');
  });
  return Promise.race([opened, tooLong]).finally(() => clearTimeout(timer));
}
