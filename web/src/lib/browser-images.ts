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

/** Pixels per side of the canvas that is tried. */
const side = 16;

let reliable: boolean | undefined;

/**
 * Whether this browser gives back from a canvas what was drawn on it. Privacy settings give back white or noise, and some
 * refuse. It is found out once.
 */
export function isCanvasReliable(): boolean {
  reliable ??= returnsWhatWasDrawn();
  return reliable;
}

function returnsWhatWasDrawn(): boolean {
  try {
    const canvas = document.createElement('canvas');
    canvas.width = side;
    canvas.height = side;
    const context = canvas.getContext('2d', { willReadFrequently: true })!;
    const colours = Array.from({ length: side * side }, (_, place) => [
      place,
      255 - place,
      (place * 7) % 256,
    ]);
    for (const [place, colour] of colours.entries()) {
      context.fillStyle = `rgb(${colour.join()})`;
      context.fillRect(place % side, Math.floor(place / side), 1, 1);
    }
    const { data } = context.getImageData(0, 0, side, side);
    return colours.every((colour, place) =>
      colour.every((value, channel) => data[place * 4 + channel] === value),
    );
  } catch {
    return false;
  }
}
