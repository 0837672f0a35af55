import { planeOver } from '#contract/edit-background.ts';
import type { EditPixels } from '#contract/edit-geometry.ts';
import { applyRecipe } from '#contract/edit-pixels.ts';
import type { EditRecipe } from '#contract/edit-recipe.ts';

/**
 * Reads the pixels of a loaded image.
 * @param sideMost longest side in pixels to which a larger image is reduced
 */
export function readPixels(image: HTMLImageElement, sideMost: number): EditPixels {
  const { naturalWidth, naturalHeight } = image;
  const scale = Math.min(1, sideMost / Math.max(naturalWidth, naturalHeight));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(naturalWidth * scale));
  canvas.height = Math.max(1, Math.round(naturalHeight * scale));
  const context = contextOf(canvas);
  context.imageSmoothingQuality = 'high';
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return context.getImageData(0, 0, canvas.width, canvas.height);
}

/** Reads where the product of an image is, at the size of its pixels. @param plane grey, as the server gives it */
export function readProduct(plane: HTMLImageElement, { width, height }: EditPixels): EditPixels {
  const read = readPixels(plane, Number.POSITIVE_INFINITY);
  const data = new Uint8ClampedArray(read.width * read.height);
  for (let place = 0; place < data.length; place += 1) data[place] = read.data[place * 4]!;
  return planeOver({ data, width: read.width, height: read.height }, width, height);
}

/** Draws an image as edited by a recipe; the canvas takes its size. @param product as `readProduct` gives it */
export function drawEdited(
  canvas: HTMLCanvasElement,
  pixels: EditPixels,
  recipe: EditRecipe,
  product?: EditPixels,
): void {
  const { data, width, height } = applyRecipe(pixels, recipe, product);
  const edited = new ImageData(width, height);
  edited.data.set(data);
  canvas.width = width;
  canvas.height = height;
  contextOf(canvas).putImageData(edited, 0, 0);
}

function contextOf(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const context = canvas.getContext('2d', { colorSpace: 'srgb', willReadFrequently: true });
  if (!context) throw new Error('this browser has no canvas');
  return context;
}
