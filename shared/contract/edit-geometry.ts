import type { EditRecipe } from './edit-recipe.ts';

/** A size in pixels. */
interface Size {
  width: number;
  height: number;
}

/** Where the pixels of an edited image come from. */
export interface EditGeometry extends Size {
  /** Size of the image after its turn by `rotate`. */
  upright: Size;
  /**
   * The centre of the edited image's first pixel, relative to the centre of the upright image, in pixels of the
   * straightened image.
   */
  left: number;
  top: number;
}

/**
 * Computes the size of an edited image, and which part of the image it shows.
 * @param size of the image in pixels
 */
export function editGeometry(size: Size, { rotate, straighten, crop }: EditRecipe): EditGeometry {
  const upright = rotate % 180 === 0 ? size : { width: size.height, height: size.width };
  const whole = inscribed(upright, straighten);
  const { left, top, width, height } = crop ?? { left: 0, top: 0, width: 1, height: 1 };
  const [firstColumn, columns] = span(left, width, whole.width);
  const [firstRow, rows] = span(top, height, whole.height);
  return {
    upright,
    width: columns,
    height: rows,
    left: firstColumn + 0.5 - whole.width / 2,
    top: firstRow + 0.5 - whole.height / 2,
  };
}

/** A part of a side in whole pixels, at least one. @returns the first one and how many */
function span(start: number, length: number, side: number): [first: number, count: number] {
  const count = Math.max(1, Math.min(side, Math.round(length * side)));
  return [Math.min(Math.round(start * side), side - count), count];
}

/**
 * The largest upright rectangle inside an image that was turned about its centre.
 * @param angle in degrees
 * @returns its size in whole pixels, rounded down
 */
function inscribed({ width, height }: Size, angle: number): Size {
  if (angle === 0) return { width, height };
  const turn = (Math.abs(angle) * Math.PI) / 180;
  const [sine, cosine] = [Math.sin(turn), Math.cos(turn)];
  const [long, short] = [Math.max(width, height), Math.min(width, height)];
  if (short <= 2 * sine * cosine * long) {
    // Two corners lie on the long sides; the other two lie inside.
    const half = short / 2;
    const [a, b] = [half / sine, half / cosine];
    return width >= height ? whole(a, b) : whole(b, a);
  }
  const double = cosine * cosine - sine * sine;
  return whole((width * cosine - height * sine) / double, (height * cosine - width * sine) / double);
}

function whole(width: number, height: number): Size {
  return { width: Math.max(1, Math.floor(width)), height: Math.max(1, Math.floor(height)) };
}

/** An image: red, green, blue and opacity of each pixel, row by row, sRGB with eight bits, not premultiplied. */
export interface EditPixels {
  data: Uint8ClampedArray;
  width: number;
  height: number;
}
