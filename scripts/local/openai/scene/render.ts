/** One image from photos and a description, read top to bottom in the order in which it comes into being. */
import { cutProduct } from '../cutout/cutout.ts';
import { type Pixels, resizePixels } from '../cutout/pixels.ts';
import type { RenderJob } from '../renderer.ts';
import { type Arrangement, arrange } from './arrange.ts';
import { createBackdrop } from './backdrop.ts';
import { createCamera } from './camera.ts';
import type { Colour } from './colour.ts';
import { drawProduct, drawReflection, matchLight } from './compose.ts';
import { describeScene, type SceneDescription } from './describe.ts';
import { createFrame, developFrame, encodeImage, type Frame } from './frame.ts';
import { createDapple, drawGround } from './ground.ts';
import { createLight, type SceneLight } from './light.ts';
import { seedOf } from './noise.ts';
import { drawShadows, findShadows, type PlacedProduct, shadowAt } from './shadow.ts';
import { measureSilhouette } from './silhouette.ts';

/** What the renderer tells and asks while it works. */
export interface RenderProgress {
  /** Takes an encoded earlier stage of the image. */
  onPartial(image: Uint8Array): void;
  /** True when nobody wants the image any more. */
  isCancelled(): boolean;
}

/**
 * Renders one image. The same job gives the same pixels.
 * @throws when cancelled, or when an image cannot be decoded
 */
export async function renderImage(job: RenderJob, progress: RenderProgress): Promise<Uint8Array> {
  const seed = seedOf(job.prompt, ...job.images, String(job.variant));
  const description = describeScene(job.prompt);

  const cutouts: Pixels[] = [];
  for (const image of job.images) {
    cutouts.push((await cutProduct(image)).pixels);
    if (progress.isCancelled()) throw new Error('cancelled');
  }
  const arrangement = arrange(cutouts.map(measureSilhouette), job.width, job.height, job.variant);
  const products: PlacedProduct[] = [];
  for (const placement of arrangement.placements) {
    const cutout = cutouts[placement.index]!;
    products.push({ placement, pixels: await resizePixels(cutout, placement.width, placement.height) });
  }
  const light = createLight(description, job.variant % 2 === 0 ? -1 : 1);
  const gains = products.map(({ pixels }) => matchLight(pixels, light));
  if (job.background === 'transparent') return renderTransparent(job, products, gains, light, arrangement);

  const stages = new Stages(job, description, progress);
  const backdrop = createBackdrop(description, light, job.width, job.height, arrangement.edgeRow, seed);
  if (stages.wanted(3)) {
    const rough = createFrame(job.width, job.height);
    const even: SceneDescription = { ...description, surface: { ...description.surface, material: 'plain' } };
    drawGround(
      rough,
      even,
      backdrop,
      light,
      createCamera(job.width, job.height, arrangement.fromAbove, arrangement.edgeRow),
      seed,
    );
    for (const [place, product] of products.entries())
      drawProduct(rough, product, light, gains[place]!, undefined);
    await stages.show(rough, job.height * 0.012);
  }

  const frame = createFrame(job.width, job.height);
  const camera = createCamera(job.width, job.height, arrangement.fromAbove, arrangement.edgeRow);
  const gloss = drawGround(frame, description, backdrop, light, camera, seed);
  if (progress.isCancelled()) throw new Error('cancelled');
  if (stages.wanted(2)) {
    const standing: Frame = { ...frame, data: frame.data.slice() };
    for (const product of products) drawProduct(standing, product, light, [1, 1, 1], undefined);
    await stages.show(standing, 0);
  }

  const shadows = await findShadows(products, job.width, job.height, light, arrangement.fromAbove);
  drawShadows(frame, shadows, light, arrangement.edgeRow);
  if (stages.wanted(1)) {
    const shaded: Frame = { ...frame, data: frame.data.slice() };
    for (const [place, product] of products.entries())
      drawProduct(shaded, product, light, gains[place]!, undefined);
    await stages.show(shaded, 0);
  }

  const dapple = light.dappled ? createDapple(seed) : undefined;
  products.forEach((product, place) => {
    drawReflection(frame, product, gains[place]!, gloss, camera);
    drawProduct(frame, product, light, gains[place]!, dapple);
  });
  const bytes = developFrame(frame, description.saturation);
  return encodeImage(
    bytes,
    { width: job.width, height: job.height, channels: 3 },
    job.outputFormat,
    job.outputCompression,
  );
}

/** Hands out as many intermediate images as were asked for: the rough one first, later ones nearer the end. */
class Stages {
  readonly #job: RenderJob;
  readonly #description: SceneDescription;
  readonly #progress: RenderProgress;

  constructor(job: RenderJob, description: SceneDescription, progress: RenderProgress) {
    this.#job = job;
    this.#description = description;
    this.#progress = progress;
  }

  /** Stages count down to the finished image: 3 the rough placement, 2 the bare scene, 1 the shadows. */
  wanted(stage: 1 | 2 | 3): boolean {
    const wantedStages = [[], [3], [3, 2], [3, 2, 1]][this.#job.partialImages] ?? [];
    return wantedStages.includes(stage);
  }

  async show(frame: Frame, blur: number): Promise<void> {
    const { width, height, outputFormat, outputCompression } = this.#job;
    const bytes = developFrame(frame, this.#description.saturation);
    const size = { width, height, channels: 3 as const };
    this.#progress.onPartial(await encodeImage(bytes, size, outputFormat, outputCompression, blur));
  }
}

/** The products and their shadows on nothing. */
async function renderTransparent(
  job: RenderJob,
  products: PlacedProduct[],
  gains: Colour[],
  light: SceneLight,
  arrangement: Arrangement,
): Promise<Uint8Array> {
  const frame = createFrame(job.width, job.height);
  const shadows = await findShadows(products, job.width, job.height, light, arrangement.fromAbove);
  const alpha = new Float32Array(job.width * job.height);
  for (let y = 0; y < job.height; y += 1) {
    for (let x = 0; x < job.width; x += 1) alpha[y * job.width + x] = shadowAt(shadows, light, x, y) * 0.8;
  }
  products.forEach((product, place) => {
    // Where the product is opaque the frame holds its colour; elsewhere black, which is the shadow's.
    const opaque: PlacedProduct = {
      ...product,
      pixels: {
        ...product.pixels,
        data: product.pixels.data.map((value, index) => (index % 4 === 3 && value > 0 ? 255 : value)),
      },
    };
    drawProduct(frame, opaque, light, gains[place]!, undefined);
    const { pixels, placement } = product;
    for (let row = 0; row < pixels.height; row += 1) {
      const y = placement.base - pixels.height + row;
      if (y < 0 || y >= job.height) continue;
      for (let column = 0; column < pixels.width; column += 1) {
        const x = placement.left + column;
        if (x < 0 || x >= job.width) continue;
        const own = pixels.data[(row * pixels.width + column) * 4 + 3]! / 255;
        const index = y * job.width + x;
        alpha[index] = own + alpha[index]! * (1 - own);
      }
    }
  });
  const bytes = developFrame(frame, 0, alpha);
  return encodeImage(
    bytes,
    { width: job.width, height: job.height, channels: 4 },
    job.outputFormat,
    job.outputCompression,
  );
}
