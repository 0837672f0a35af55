/** Stages cut-out products in the scene of a description. */
import type { Drawing } from '../mask.ts';
import type { RenderJob } from '../renderer.ts';
import { type Arrangement, arrange, type Silhouette } from './arrange.ts';
import { createBackdrop } from './backdrop.ts';
import { type Camera, createCamera, reduceCamera } from './camera.ts';
import { drawProduct, drawReflection, hiddenPixels } from './compose.ts';
import { drawCutOut } from './cut-out-image.ts';
import { describeScene, type SceneDescription, sceneOf } from './description/describe.ts';
import { measureLight } from './environment/lighting.ts';
import { loadPanorama, type Panorama } from './environment/panorama.ts';
import { createFrame, developFrame } from './frame.ts';
import { isFurnitureInRoom } from './furniture.ts';
import { createDapple, drawGround } from './ground.ts';
import { createLight, type SceneLight } from './light.ts';
import { seedOf } from './noise.ts';
import { drawShadows } from './shadows.ts';
import {
  PartialImages,
  placeProducts,
  type RenderProgress,
  reduceProducts,
  shadowsOf,
  silhouetteOf,
  withProducts,
} from './staged-products.ts';
import type { Subject } from './subject.ts';
import { type Take, takeOf } from './take.ts';

/**
 * Chooses the clearest view: complete, cut out with confidence, large in its photo and sharp. The first photo wins
 * unless another one is clearly better, because sellers upload the main view first.
 */
function chooseClearest(cutouts: Subject[]): Subject {
  const sharpest = Math.max(...cutouts.map(({ sharpness }) => sharpness), 1e-6);
  const clarity = ({ pixels, touches, confidence, sharpness, photoSide }: Subject): number => {
    const size = Math.min(1, Math.max(pixels.width, pixels.height) / photoSide / 0.55);
    const isWhole = !Object.values(touches).includes(true);
    return confidence + 0.3 * (sharpness / sharpest) + 0.3 * size + (isWhole ? 0.5 : 0);
  };
  let best = cutouts[0]!;
  for (const cutout of cutouts.slice(1)) if (clarity(cutout) > clarity(best) + 0.08) best = cutout;
  return best;
}

/** The first preview is drawn at this fraction of the size: it must be fast and may look rough. */
const roughness = 4;

/**
 * Draws the picture.
 * @param cutouts one for each photo of the job
 * @param earlier the scenes that the job's prompt changes, the newest first
 */
export async function stageProducts(
  cutouts: Subject[],
  job: RenderJob,
  take: Take,
  progress: RenderProgress,
  earlier: readonly string[] = [],
): Promise<Drawing> {
  const { width, height } = job;
  const { seed } = take;
  const described = turned(describeScene(job.prompt, earlier), take.turn);
  const scene = [sceneOf(job.prompt), ...earlier].join('\n');
  const shown = described.framing.severalProducts ? cutouts : [chooseClearest(cutouts)];
  const description = seenAs(described, scene, shown);
  const { framing, pureWhite, saturation, style } = description;
  const stage = await openStage(description, shown.map(silhouetteOf), job, take);
  const { arrangement, light } = stage;
  const staged = await placeProducts(shown, arrangement, description, light);
  const products = staged.map(({ product }) => product);
  const partials = new PartialImages(job, description, progress);
  if (job.background === 'transparent') {
    return drawCutOut(job, { staged, description, light, arrangement, partials });
  }
  const { camera, backdrop } = openSurroundings(stage, description, job, take);
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
  const data = developFrame(frame, { saturation, exactWhite: pureWhite, film: style.film, seed });
  return { width, height, channels: 3, data };
}

/** Where the products stand, and the light on them. */
interface Stage {
  arrangement: Arrangement;
  panorama: Panorama;
  light: SceneLight;
}

async function openStage(
  description: SceneDescription,
  silhouettes: Silhouette[],
  { width, height }: RenderJob,
  take: Take,
): Promise<Stage> {
  const { framing, style } = description;
  const { view } = description.backdrop;
  const size = take.size * style.size;
  const arrangement = arrange(silhouettes, width, height, framing, { ...take, size });
  const panorama = await loadPanorama(view.panorama);
  const yaw = (view.yaw * Math.PI) / 180;
  const light = createLight(description, measureLight(panorama, yaw, take.mirrored), take);
  return { arrangement, panorama, light };
}

/** The camera, and what it sees around the products. */
function openSurroundings(
  { arrangement, panorama, light }: Stage,
  description: SceneDescription,
  { width, height }: RenderJob,
  { seed }: Take,
): { camera: Camera; backdrop: ReturnType<typeof createBackdrop> } {
  const { placements, fromAbove, edgeRow } = arrangement;
  const footRow = Math.max(...placements.map(({ base }) => base));
  const setting = description.framing.inRoom ? 'furniture' : 'goods';
  const camera = createCamera(width, height, fromAbove, edgeRow, footRow, setting);
  return { camera, backdrop: createBackdrop(description, panorama, light, camera, seed) };
}

/** The outline for which a scene without a product is drawn. */
const usualSilhouette: Silhouette = {
  width: 900,
  height: 1_200,
  photoSide: 2_048,
  tilt: { fromAbove: 0.2, flatness: 0.2 },
  touches: { left: false, top: false, right: false, bottom: false },
};

/**
 * Draws the scene of a description without a product, as it is around one that is a little taller than wide.
 * @param job its photos are not used
 */
export async function drawEmptyScene(job: RenderJob): Promise<Drawing> {
  const { width, height, prompt } = job;
  const description = describeScene(prompt, []);
  const { pureWhite, saturation, style } = description;
  const take = takeOf(seedOf(prompt), job);
  const stage = await openStage(description, [usualSilhouette], job, take);
  const { camera, backdrop } = openSurroundings(stage, description, job, take);
  const frame = createFrame(width, height);
  drawGround(frame, description, backdrop, stage.light, camera, take.seed, hiddenPixels([], width, height));
  const data = developFrame(frame, { saturation, exactWhite: pureWhite, film: style.film, seed: take.seed });
  return { width, height, channels: 3, data };
}

/**
 * The scene for these products: those that lie flat are seen from above, as in their photos, and furniture stands on the
 * floor.
 * @param scene the words of the description
 */
function seenAs(description: SceneDescription, scene: string, shown: readonly Subject[]): SceneDescription {
  const { framing, backdrop, style } = description;
  if (framing.floating) return description;
  if (shown.every(({ isLying }) => isLying))
    return { ...description, framing: { ...framing, topView: true } };
  const isRoom = backdrop.kind === 'view' || backdrop.kind === 'wall';
  const isFurniture = isRoom && shown.every(({ pixels }) => isFurnitureInRoom(scene, pixels));
  if (!isFurniture || framing.topView) return description;
  return {
    ...description,
    surface: { ...description.surface, isTable: false },
    framing: { ...framing, inRoom: true },
    style: { ...style, size: style.size * 0.9 },
  };
}

/** The scene seen by a camera that is turned to the right. */
function turned(description: SceneDescription, degrees: number): SceneDescription {
  const { backdrop } = description;
  const view = { ...backdrop.view, yaw: backdrop.view.yaw + degrees };
  return { ...description, backdrop: { ...backdrop, view } };
}
