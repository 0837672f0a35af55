/** Stages cut-out products in the scene of a description. */
import type { Cutout } from '../cutout/cutout.ts';
import { resizePixels } from '../cutout/pixels.ts';
import type { RenderJob } from '../renderer.ts';
import { type Arrangement, arrange, type Silhouette } from './arrange.ts';
import { createBackdrop } from './backdrop.ts';
import { createCamera, reduceCamera } from './camera.ts';
import { chooseClearest } from './choose.ts';
import {
  drawProduct,
  drawReflection,
  hiddenPixels,
  matchLight,
  type PlacedProduct,
  type ProductLook,
} from './compose.ts';
import { describeScene, type SceneDescription } from './description/describe.ts';
import type { Framing } from './description/framing.ts';
import { isSeamless } from './description/places.ts';
import { measureLight } from './environment/lighting.ts';
import { loadPanorama } from './environment/panorama.ts';
import { createFrame, developFrame, encodeImage, type Frame } from './frame.ts';
import { createDapple, drawGround } from './ground.ts';
import { createLight, type SceneLight } from './light.ts';
import { PartialImages, type RenderProgress } from './partial-images.ts';
import { shadeProduct } from './shading.ts';
import { drawShadows, shadowAt } from './shadows/draw-shadows.ts';
import { findShadows, type ShadowPlanes } from './shadows/find-shadows.ts';
import { measureTilt } from './tilt.ts';

/** A product with its position and look. */
interface StagedProduct {
  product: PlacedProduct;
  look: ProductLook;
}

/**
 * Renders the image.
 * @param cutouts one for each photo of the job
 * @param seed of the random choices
 */
export async function stageProducts(
  cutouts: Cutout[],
  job: RenderJob,
  seed: number,
  progress: RenderProgress,
): Promise<Uint8Array> {
  const { width, height } = job;
  const description = describeScene(job.prompt);
  const { framing, pureWhite } = description;
  const shown = framing.severalProducts ? cutouts : [chooseClearest(cutouts)];
  const arrangement = arrange(shown.map(silhouetteOf), width, height, framing, job.variant);

  const panorama = await loadPanorama(description.backdrop.view.panorama);
  const mirrored = job.variant % 2 === 1;
  const yaw = (description.backdrop.view.yaw * Math.PI) / 180;
  const light = createLight(description, measureLight(panorama, yaw, mirrored), mirrored);
  const staged = await placeProducts(shown, arrangement, description, light);
  const products = staged.map(({ product }) => product);
  if (job.background === 'transparent')
    return renderTransparent(job, staged, description, light, arrangement);

  const partials = new PartialImages(job, description, progress);
  const footRow = Math.max(...arrangement.placements.map(({ base }) => base));
  const camera = createCamera(width, height, arrangement.fromAbove, arrangement.edgeRow, footRow);
  const backdrop = createBackdrop(description, panorama, light, camera, seed);
  if (partials.isRequested(3)) {
    const small = await reduceProducts(staged, roughness);
    const rough = createFrame(width / roughness, height / roughness);
    const even: SceneDescription = { ...description, surface: { ...description.surface, material: 'plain' } };
    const hidden = hiddenPixels(
      small.map(({ product }) => product),
      rough.width,
      rough.height,
    );
    drawGround(rough, even, backdrop, light, reduceCamera(camera, roughness), seed, hidden);
    for (const { product, look } of small) drawProduct(rough, product, look);
    await partials.emit(rough, roughness);
  }

  const frame = createFrame(width, height);
  const hidden = hiddenPixels(products, width, height);
  const gloss = drawGround(frame, description, backdrop, light, camera, seed, hidden);
  if (progress.isCancelled()) throw new Error('cancelled');
  if (partials.isRequested(2)) {
    await partials.emit(withProducts(frame, staged));
  }

  if (!framing.shadowless) {
    const shadows = await shadowsOf(job, products, framing, light, arrangement);
    const firstRow = pureWhite ? -height : camera.edgeRow;
    drawShadows(frame, shadows, light, { firstRow, endsInside: pureWhite });
  }
  if (partials.isRequested(1)) {
    await partials.emit(withProducts(frame, staged));
  }

  const dapple = light.dappled ? createDapple(seed) : undefined;
  for (const { product, look } of staged) {
    drawReflection(frame, product, look, gloss, camera);
    drawProduct(frame, product, look, dapple);
  }
  const bytes = developFrame(frame, { saturation: description.saturation, exactWhite: pureWhite });
  return encodeImage(bytes, { width, height, channels: 3 }, job.outputFormat, job.outputCompression);
}

function silhouetteOf({ pixels, touches, photoSide }: Cutout): Silhouette {
  return {
    width: pixels.width,
    height: pixels.height,
    photoSide,
    tilt: measureTilt(pixels),
    touches,
  };
}

async function placeProducts(
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
function withProducts(frame: Frame, staged: StagedProduct[]): Frame {
  const copy = { ...frame, data: frame.data.slice() };
  for (const { product, look } of staged) drawProduct(copy, product, look);
  return copy;
}

function shadowsOf(
  { width, height }: RenderJob,
  products: PlacedProduct[],
  { topView, hardShadow }: Framing,
  light: SceneLight,
  { fromAbove }: Arrangement,
): Promise<ShadowPlanes> {
  return findShadows(products, width, height, light, { fromAbove, lying: topView, sharp: hardShadow });
}

/** The first preview is drawn at this fraction of the size: it must be fast and may look rough. */
const roughness = 4;

async function reduceProducts(staged: StagedProduct[], factor: number): Promise<StagedProduct[]> {
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

/** The products and their shadows on a transparent background. */
async function renderTransparent(
  job: RenderJob,
  staged: StagedProduct[],
  { framing }: SceneDescription,
  light: SceneLight,
  arrangement: Arrangement,
): Promise<Uint8Array> {
  const { width, height } = job;
  const frame = createFrame(width, height);
  const alpha = new Float32Array(width * height);
  if (!framing.shadowless) {
    const products = staged.map(({ product }) => product);
    const shadows = await shadowsOf(job, products, framing, light, arrangement);
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) alpha[y * width + x] = shadowAt(shadows, light, x, y) * 0.8;
    }
  }
  for (const { product, look } of staged) {
    const { pixels, placement } = product;
    // Where the product is opaque, the frame contains its colour; elsewhere it is black, the colour of the shadow.
    const solid = pixels.data.map((value, index) => (index % 4 === 3 && value > 0 ? 255 : value));
    drawProduct(frame, { placement, pixels: { ...pixels, data: solid } }, look);
    for (let row = 0; row < pixels.height; row += 1) {
      const y = placement.base - placement.lift - pixels.height + row;
      if (y < 0 || y >= height) continue;
      for (let column = 0; column < pixels.width; column += 1) {
        const x = placement.left + column;
        if (x < 0 || x >= width) continue;
        const own = pixels.data[(row * pixels.width + column) * 4 + 3]! / 255;
        const index = y * width + x;
        alpha[index] = own + alpha[index]! * (1 - own);
      }
    }
  }
  const bytes = developFrame(frame, { saturation: 0, exactWhite: false, alpha });
  return encodeImage(bytes, { width, height, channels: 4 }, job.outputFormat, job.outputCompression);
}
