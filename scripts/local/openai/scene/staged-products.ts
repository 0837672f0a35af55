/** Products at their places in the picture. */
import type { Cutout } from '../cutout/cutout.ts';
import { resizePixels } from '../cutout/pixels.ts';
import type { RenderJob } from '../renderer.ts';
import type { Arrangement, Silhouette } from './arrange.ts';
import { drawProduct, matchLight, type PlacedProduct, type ProductLook } from './compose.ts';
import type { SceneDescription } from './description/describe.ts';
import type { Framing } from './description/framing.ts';
import { isSeamless } from './description/places.ts';
import type { Frame } from './frame.ts';
import type { SceneLight } from './light.ts';
import { shadeProduct } from './shading.ts';
import { findShadows, type ShadowPlanes } from './shadows/find-shadows.ts';
import { measureTilt } from './tilt.ts';

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
