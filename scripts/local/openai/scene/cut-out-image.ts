/** Pictures without a background. */
import type { Drawing } from '../mask.ts';
import type { RenderJob } from '../renderer.ts';
import type { Arrangement } from './arrange.ts';
import { drawProduct } from './compose.ts';
import type { SceneDescription } from './description/describe.ts';
import { createFrame, developFrame, type Frame } from './frame.ts';
import type { SceneLight } from './light.ts';
import { shadowAt } from './shadows.ts';
import { type PartialImages, type StagedProduct, shadowsOf } from './staged-products.ts';

/** What is drawn. */
interface CutOutScene {
  staged: StagedProduct[];
  description: SceneDescription;
  light: SceneLight;
  arrangement: Arrangement;
  partials: PartialImages;
}

/** How much of a shadow remains without a surface: on most backgrounds a full one would look too heavy. */
const shadowShare = 0.8;
/** Pictures are put together in sRGB, where a share of linear light has this exponent. */
const gamma = 2.2;

/** Draws the products and their soft shadows on a transparent background. */
export async function drawCutOut(
  job: RenderJob,
  { staged, description, light, arrangement, partials }: CutOutScene,
): Promise<Drawing> {
  const { width, height } = job;
  const { saturation, style } = description;
  const bare = drawProducts(staged, width, height, new Float32Array(width * height));
  for (const stage of [3, 2, 1] as const) {
    if (partials.isRequested(stage)) await partials.emit(bare.frame, 1, bare.alpha);
  }
  const { frame, alpha } = description.framing.shadowless
    ? bare
    : drawProducts(staged, width, height, await shadowAlpha());
  const data = developFrame(frame, { saturation, exactWhite: false, alpha, film: style.film });
  return { width, height, channels: 4, data };

  async function shadowAlpha(): Promise<Float32Array> {
    const products = staged.map(({ product }) => product);
    const shadows = await shadowsOf(job, products, description.framing, light, arrangement);
    const shadow = new Float32Array(width * height);
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) {
        shadow[y * width + x] = shadowAt(shadows, light, x, y) * shadowShare;
      }
    }
    return shadow;
  }
}

/**
 * Draws the products over black shadows.
 * @param alpha the opacity of the shadows; becomes the opacity of the picture
 */
function drawProducts(
  staged: StagedProduct[],
  width: number,
  height: number,
  alpha: Float32Array,
): { frame: Frame; alpha: Float32Array } {
  const frame = createFrame(width, height);
  for (const { product, look } of staged) {
    const { pixels, placement } = product;
    // The product's colour is drawn wherever there is any of it; `alpha` says how much of it there is.
    const solid = pixels.data.map((value, index) => (index % 4 === 3 && value > 0 ? 255 : value));
    drawProduct(frame, { placement, pixels: { ...pixels, data: solid } }, look);
    const top = placement.base - placement.lift - pixels.height;
    for (let row = Math.max(0, -top); row < Math.min(pixels.height, height - top); row += 1) {
      for (let column = 0; column < pixels.width; column += 1) {
        const x = placement.left + column;
        if (x < 0 || x >= width) continue;
        const own = pixels.data[(row * pixels.width + column) * 4 + 3]! / 255;
        if (own === 0) continue;
        const index = (top + row) * width + x;
        const whole = own + alpha[index]! * (1 - own);
        // At the outline the colour is a mixture of product and shadow.
        const share = (own / whole) ** gamma;
        for (let channel = 0; channel < 3; channel += 1)
          frame.data[index * 3 + channel] = frame.data[index * 3 + channel]! * share;
        alpha[index] = whole;
      }
    }
  }
  return { frame, alpha };
}
