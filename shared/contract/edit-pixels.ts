import { whitenBackground } from './edit-background.ts';
import { type EditPixels, editGeometry } from './edit-geometry.ts';
import type { EditRecipe } from './edit-recipe.ts';

/**
 * Edits an image. Browser and server both call this, so that a preview is what is stored: turn, straighten and crop in
 * one step, then colours, then the background.
 * @param product where the product is in the image, as `planeOver` gives it: a white background leaves it as it is
 * @returns a new image; the given one is unchanged
 */
export function applyRecipe(pixels: EditPixels, recipe: EditRecipe, product?: EditPixels): EditPixels {
  const edited = cut(pixels, recipe);
  adjustColours(edited.data, recipe);
  if (recipe.whiteBackground) whitenBackground(edited, product && cut(product, recipe));
  return edited;
}

/** The image after turn, straighten and crop. */
function cut(pixels: EditPixels, recipe: EditRecipe): EditPixels {
  const { width, height, upright, left, top } = editGeometry(pixels, recipe);
  const edited = { data: new Uint8ClampedArray(width * height * 4), width, height };
  const turned = {
    data: pixels.data,
    // Not spread: in a browser, `upright` may be an ImageData, whose fields are getters.
    width: upright.width,
    height: upright.height,
    ...uprightSteps(pixels, recipe.rotate),
  };
  const angle = (recipe.straighten * Math.PI) / 180;
  const sine = Math.sin(angle);
  const cosine = Math.cos(angle);
  let target = 0;
  for (let row = 0; row < height; row += 1) {
    const down = top + row;
    for (let column = 0; column < width; column += 1, target += 4) {
      const across = left + column;
      // Turned back about the centre of the image.
      const x = across * cosine + down * sine + upright.width / 2 - 0.5;
      const y = down * cosine - across * sine + upright.height / 2 - 0.5;
      if (angle === 0) {
        const source = turned.first + Math.round(x) * turned.stepAcross + Math.round(y) * turned.stepDown;
        for (let channel = 0; channel < 4; channel += 1) {
          edited.data[target + channel] = pixels.data[source + channel]!;
        }
      } else sample(turned, x, y, edited.data, target);
    }
  }
  return edited;
}

/** Where the pixels of an image are after its turn by 0, 90, 180 or 270 degrees clockwise, as positions in its data. */
interface UprightSteps {
  /** The upper left pixel. */
  first: number;
  /** From a pixel to the next one to the right. */
  stepAcross: number;
  /** From a pixel to the next one below. */
  stepDown: number;
}

function uprightSteps({ width, height }: EditPixels, rotate: EditRecipe['rotate']): UprightSteps {
  const line = width * 4;
  switch (rotate) {
    case 0:
      return { first: 0, stepAcross: 4, stepDown: line };
    case 90:
      return { first: (height - 1) * line, stepAcross: -line, stepDown: 4 };
    case 180:
      return { first: height * line - 4, stepAcross: -4, stepDown: -line };
    case 270:
      return { first: line - 4, stepAcross: line, stepDown: -4 };
  }
}

/** Weights of the four pixels in a row around a position (Catmull-Rom). @param t from the second to the third, 0 to 1 */
function cubicWeights(t: number, weights: Float64Array): void {
  weights[0] = ((-t + 2) * t - 1) * t * 0.5;
  weights[1] = ((3 * t - 5) * t * t + 2) * 0.5;
  weights[2] = ((-3 * t + 4) * t + 1) * t * 0.5;
  weights[3] = (t - 1) * t * t * 0.5;
}

// Allocated once: this is needed for each pixel of a preview, while a slider moves.
const weightsAcross = new Float64Array(4);
const weightsDown = new Float64Array(4);
const columns = new Int32Array(4);

/** Writes the colour between pixels: the mean of the 16 nearest ones, weighted by opacity. Edge pixels are repeated. */
function sample(
  image: EditPixels & UprightSteps,
  x: number,
  y: number,
  target: Uint8ClampedArray,
  at: number,
): void {
  const { data, width, height, first, stepAcross, stepDown } = image;
  const column = Math.floor(x);
  const row = Math.floor(y);
  cubicWeights(x - column, weightsAcross);
  cubicWeights(y - row, weightsDown);
  for (let i = 0; i < 4; i += 1) {
    columns[i] = Math.min(width - 1, Math.max(0, column + i - 1)) * stepAcross;
  }
  let red = 0;
  let green = 0;
  let blue = 0;
  let opacity = 0;
  for (let j = 0; j < 4; j += 1) {
    const start = first + Math.min(height - 1, Math.max(0, row + j - 1)) * stepDown;
    for (let i = 0; i < 4; i += 1) {
      const source = start + columns[i]!;
      const weight = weightsDown[j]! * weightsAcross[i]! * data[source + 3]!;
      red += weight * data[source]!;
      green += weight * data[source + 1]!;
      blue += weight * data[source + 2]!;
      opacity += weight;
    }
  }
  if (opacity <= 0) return;
  target[at] = red / opacity;
  target[at + 1] = green / opacity;
  target[at + 2] = blue / opacity;
  target[at + 3] = opacity;
}

/** Weights of red, green and blue in brightness (Rec. 709). */
const [redWeight, greenWeight, blueWeight] = [0.2126, 0.7152, 0.0722];

/** Largest change of red and blue by warmth, as a fraction. */
const warmthMost = 0.2;

/**
 * The colours of a recipe as one matrix with an offset: `new = matrix · old + offset`, on sRGB values from 0 to 255.
 * In this order: brightness is a gain of 0.5 to 1.5; contrast a gain of 0.5 to 1.5 about 127.5; saturation moves each
 * channel away from the pixel's brightness, 0 (grey) to 2 times; warmth is a gain of 0.8 to 1.2 on red and the opposite
 * on blue.
 */
function colourTransform({ brightness, contrast, saturation, warmth }: EditRecipe) {
  const slope = 1 + contrast / 200;
  const gain = (1 + brightness / 200) * slope;
  const shift = 127.5 * (1 - slope);
  const colour = 1 + saturation / 100;
  const warm = (warmth / 100) * warmthMost;
  const matrix = [1 + warm, 1, 1 - warm].map((tint, channel) =>
    [redWeight, greenWeight, blueWeight].map(
      (weight, source) => tint * gain * ((1 - colour) * weight + (source === channel ? colour : 0)),
    ),
  );
  return { matrix, offset: [1 + warm, 1, 1 - warm].map((tint) => tint * shift) };
}

/** Changes the colours of an image in place; results are rounded and limited to 0 to 255. */
function adjustColours(data: Uint8ClampedArray, recipe: EditRecipe): void {
  const { brightness, contrast, saturation, warmth } = recipe;
  if (brightness === 0 && contrast === 0 && saturation === 0 && warmth === 0) return;
  const { matrix, offset } = colourTransform(recipe);
  const [rr, rg, rb, gr, gg, gb, br, bg, bb] = matrix.flat() as Nine;
  const [r0, g0, b0] = offset as [number, number, number];
  for (let at = 0; at < data.length; at += 4) {
    const red = data[at]!;
    const green = data[at + 1]!;
    const blue = data[at + 2]!;
    data[at] = rr * red + rg * green + rb * blue + r0;
    data[at + 1] = gr * red + gg * green + gb * blue + g0;
    data[at + 2] = br * red + bg * green + bb * blue + b0;
  }
}

type Nine = [number, number, number, number, number, number, number, number, number];
