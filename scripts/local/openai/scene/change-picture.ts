/** Changes a picture: it is made again if its recipe is known or a scene is named, and otherwise relit. */

import { gaussianBlur } from '../../../../shared/cutout/box-blur.ts';
import { changeWithin, type Drawing, decodePicture, openShares } from '../mask.ts';
import type { RenderJob } from '../renderer.ts';
import { toLinear } from './colour.ts';
import { changedTake, namesScene, readScene, removesSomething } from './description/changes.ts';
import { describeScene, sceneOf } from './description/describe.ts';
import { type Mood, moodOf } from './description/mood.ts';
import { createFrame, developFrame, encodeImage } from './frame.ts';
import { tintOf } from './light.ts';
import { hashAt } from './noise.ts';
import { type Recipe, readRecipe } from './recipe.ts';
import { stageProducts } from './stage-products.ts';
import type { RenderProgress } from './staged-products.ts';
import type { Subject } from './subject.ts';
import type { Take } from './take.ts';

/** The light of an instruction that names none: a change that is visible. */
const slightly = { warmth: 0.15, exposure: 0.15 };

/** The picture in the light that a mood asks for. */
function relight({ width, height, channels, data }: Drawing, { light, saturation }: Mood): Drawing {
  const isNamed = light.warmth !== 0 || light.exposure !== 0 || saturation !== 0;
  const { warmth, exposure } = isNamed ? light : slightly;
  const gain = tintOf(warmth).map((share) => share * 2 ** exposure);
  const frame = createFrame(width, height);
  const alpha = channels === 4 ? new Float32Array(width * height) : undefined;
  for (let index = 0; index < width * height; index += 1) {
    for (let channel = 0; channel < 3; channel += 1)
      frame.data[index * 3 + channel] = toLinear(data[index * channels + channel]!) * gain[channel]!;
    if (alpha !== undefined) alpha[index] = data[index * channels + 3]! / 255;
  }
  const developed = developFrame(frame, { saturation, exactWhite: true, ...(alpha && { alpha }) });
  return { width, height, channels, data: developed };
}

/** Reaches of the fill as shares of the shorter side: near colours first, farther ones where nothing is near. */
const reaches = [0.006, 0.02, 0.06, 0.18, 0.5];
/** The least share of known pixels from which a colour is taken. */
const leastKnown = 0.02;

/** The picture with its area filled. @param mask transparent in the area */
async function fillArea(picture: Drawing, mask: Uint8Array): Promise<Drawing> {
  const { width, height, channels } = picture;
  const known = (await openShares(mask, width, height)).map((open) => 1 - open);
  const data = Buffer.from(picture.data);
  const filled = known.map((share) => (share === 1 ? 1 : 0));
  const planes = Array.from({ length: channels }, (_, channel) =>
    known.map((share, index) => share * picture.data[index * channels + channel]!),
  );
  for (const reach of reaches) {
    const blur = (plane: Float32Array) => gaussianBlur(plane, width, height, Math.min(width, height) * reach);
    const amount = blur(known);
    const sums = planes.map(blur);
    for (let index = 0; index < filled.length; index += 1) {
      if (filled[index] === 1 || amount[index]! < leastKnown) continue;
      filled[index] = 1;
      const grain = hashAt(7, index, 0) * 3 - 1.5;
      for (let channel = 0; channel < channels; channel += 1) {
        const value = sums[channel]![index]! / amount[index]!;
        data[index * channels + channel] = Math.min(
          255,
          Math.max(0, Math.round(channel < 3 ? value + grain : value)),
        );
      }
    }
    if (!filled.includes(0)) break;
  }
  return { width, height, channels, data };
}

/** A drawn picture and how it was made. */
export interface MadePicture {
  drawing: Drawing;
  /** Undefined if only the pixels are known. */
  recipe: Recipe | undefined;
}

/** What to change, and what with. */
interface Change {
  job: RenderJob;
  /** The take of the job itself. */
  take: Take;
  /** Cuts out the products of the photos. */
  cut: (photos: readonly Uint8Array[]) => Promise<Subject[]>;
}

/**
 * Changes the first picture of a job, with a mask only within its area.
 * @throws what `cut` throws
 */
export async function changePicture(
  { job, take, cut }: Change,
  progress: RenderProgress,
): Promise<MadePicture> {
  const { width, height, mask } = job;
  const [first, ...photos] = job.images as [Uint8Array, ...Uint8Array[]];
  const picture = await decodePicture(first, width, height);
  const old = readRecipe(first);
  const instruction = sceneOf(job.prompt);
  const words = readScene(instruction);
  const scenes = [instruction, ...(old?.scenes ?? [])];
  const within = async (change: Drawing) =>
    mask === undefined ? change : changeWithin(mask, picture, change);

  const canMakeAgain = old !== undefined && (mask !== undefined || !old.patched);
  if (!canMakeAgain && !namesScene(words)) {
    const recipe = old && { ...old, scenes };
    const fills = mask !== undefined && removesSomething(instruction);
    const change = fills ? await fillArea(picture, mask) : relight(picture, moodOf(words));
    return { drawing: await within(change), recipe };
  }
  const used = old === undefined ? take : takeOfChange(old, scenes, take, mask !== undefined);
  const sending: Promise<void>[] = [];
  const made = await stageProducts(
    await cut(photos.length > 0 ? photos : [first]),
    job,
    used,
    {
      ...progress,
      onPartial: (image) => {
        if (mask === undefined) progress.onPartial(image);
        else sending.push(sendPartial(image, sending.at(-1)));
      },
    },
    old?.scenes,
  );
  await Promise.all(sending);
  const keepsTake = mask !== undefined && old !== undefined;
  return {
    drawing: await within(made),
    recipe: { scenes, take: keepsTake ? old.take : used, patched: mask !== undefined },
  };

  /** Sends a partial image, with the picture outside of the area, after the one before. */
  async function sendPartial(image: Uint8Array, before: Promise<void> | undefined): Promise<void> {
    const { data, ...size } = await within(await decodePicture(image, width, height));
    const encoded = await encodeImage(data, size, job.outputFormat, job.outputCompression);
    await before;
    progress.onPartial(encoded);
  }
}

/**
 * The take in which a picture is made again.
 * @param scenes with the instruction first
 * @param own the take of the job itself
 */
function takeOfChange(
  { scenes: before, take }: Recipe,
  scenes: string[],
  own: Take,
  isMasked: boolean,
): Take {
  // An area gets new textures, so that it changes whatever the instruction says.
  if (isMasked) return { ...take, seed: own.seed };
  const changed = changedTake(scenes[0]!, take);
  const describe = ([newest = '', ...earlier]: string[]) => JSON.stringify(describeScene(newest, earlier));
  // An instruction that says nothing to the renderer moves the light to the other side.
  const isSame = changed === take && describe(scenes) === describe(before);
  return isSame ? { ...take, lightAcross: -take.lightAcross } : changed;
}
