/** Products at their places in the picture, and the partial images that are sent while it is drawn. */

import type { Cutout } from '../../../../shared/cutout/cutout.ts';
import { resizePixels } from '../../../../shared/cutout/pixels.ts';
import type { RenderJob } from '../renderer.ts';
import type { Arrangement, Silhouette } from './arrange.ts';
import { drawProduct, matchLight, type PlacedProduct, type ProductLook } from './compose.ts';
import type { SceneDescription } from './description/describe.ts';
import type { Framing } from './description/framing.ts';
import { isSeamless } from './description/places.ts';
import { developFrame, encodeImage, type Frame } from './frame.ts';
import type { SceneLight } from './light.ts';
import { shadeProduct } from './shading.ts';
import { findShadows, type ShadowPlanes } from './shadows.ts';
import { measureTilt } from './tilt.ts';

/** Callbacks of a render. */
export interface RenderProgress {
  /** Receives an encoded partial image. */
  onPartial(image: Uint8Array): void;
  /** Whether the image is no longer needed. */
  isCancelled(): boolean;
}

/** Emits the requested number of partial images: the rough one first, later ones nearer the end. */
export class PartialImages {
  readonly #job: RenderJob;
  readonly #description: SceneDescription;
  readonly #progress: RenderProgress;

  constructor(job: RenderJob, description: SceneDescription, progress: RenderProgress) {
    this.#job = job;
    this.#description = description;
    this.#progress = progress;
  }

  /**
   * Whether the request asks for a stage. Stages count down to the finished image: 3 is a rough small version, 2 has
   * no shadows, 1 no reflections.
   */
  isRequested(stage: 1 | 2 | 3): boolean {
    const stages = [[], [3], [3, 2], [3, 2, 1]][this.#job.partialImages] ?? [];
    return stages.includes(stage);
  }

  /**
   * Emits a frame as a partial image.
   * @param enlargement the factor by which the frame is smaller than the picture
   * @param alpha the opacity of each pixel, for a picture without a background
   */
  async emit(frame: Frame, enlargement = 1, alpha?: Float32Array): Promise<void> {
    const { outputFormat, outputCompression } = this.#job;
    const { saturation, pureWhite, style } = this.#description;
    const exactWhite = pureWhite && alpha === undefined;
    const bytes = developFrame(frame, { saturation, exactWhite, film: style.film, ...(alpha && { alpha }) });
    const channels = alpha === undefined ? 3 : 4;
    const size = { width: frame.width, height: frame.height, channels } as const;
    this.#progress.onPartial(await encodeImage(bytes, size, outputFormat, outputCompression, enlargement));
  }
}

/** A product with its position and look. */
export interface StagedProduct {
  product: PlacedProduct;
  look: ProductLook;
}

/** What the arrangement needs to know about a cut-out product. */
export function silhouetteOf({ pixels, touches, photoSide }: Cutout): Silhouette {
  return {
    width: pixels.width,
    height: pixels.height,
    photoSide,
    tilt: measureTilt(pixels),
    touches,
  };
}

/** Scales the products to their places, and lights them. */
export async function placeProducts(
  cutouts: Cutout[],
  { placements }: Arrangement,
  description: SceneDescription,
  light: SceneLight,
): Promise<StagedProduct[]> {
  // Studio light is even; elsewhere the place is visible on the product.
  const isEven = isSeamless(description.backdrop.kind);
  const staged: StagedProduct[] = [];
  for (const placement of placements) {
    const { pixels: cut } = cutouts[placement.index]!;
    const pixels = await resizePixels(cut, placement.width, placement.height);
    const shading = await shadeProduct(pixels, light, isEven ? 0.22 : 0.42 + 0.2 * light.hardness);
    const look: ProductLook = {
      gain: matchLight(pixels, light),
      shading,
      exactWhite: description.pureWhite,
    };
    staged.push({ product: { pixels, placement }, look });
  }
  return staged;
}

/** A copy of a frame with the products drawn over it. */
export function withProducts(frame: Frame, staged: StagedProduct[]): Frame {
  const copy = { ...frame, data: frame.data.slice() };
  for (const { product, look } of staged) drawProduct(copy, product, look);
  return copy;
}

/** The shadows of the products on the surface. */
export function shadowsOf(
  { width, height }: Pick<RenderJob, 'width' | 'height'>,
  products: PlacedProduct[],
  { topView, hardShadow }: Framing,
  light: SceneLight,
  { fromAbove }: Arrangement,
): Promise<ShadowPlanes> {
  return findShadows(products, width, height, light, { fromAbove, lying: topView, sharp: hardShadow });
}

/** The same products in a picture that is smaller by a factor. */
export async function reduceProducts(staged: StagedProduct[], factor: number): Promise<StagedProduct[]> {
  const reduced: StagedProduct[] = [];
  for (const { product, look } of staged) {
    const { placement } = product;
    const width = Math.max(1, Math.round(placement.width / factor));
    const height = Math.max(1, Math.round(placement.height / factor));
    const pixels = await resizePixels(product.pixels, width, height);
    const [left, base, lift] = [placement.left, placement.base, placement.lift].map((value) =>
      Math.round(value / factor),
    ) as [number, number, number];
    reduced.push({ product: { pixels, placement: { ...placement, left, base, lift, width, height } }, look });
  }
  return reduced;
}
