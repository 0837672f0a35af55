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
