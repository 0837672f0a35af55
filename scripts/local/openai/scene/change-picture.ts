/** Changes a picture: it is made again if its recipe is known or a scene is named, and otherwise relit. */
import type { Cutout } from '../cutout/cutout.ts';
import { changeWithin, type Drawing, decodePicture } from '../mask.ts';
import type { RenderJob } from '../renderer.ts';
import { changedTake, namesScene, readScene, removesSomething } from './description/changes.ts';
import { describeScene, sceneOf } from './description/describe.ts';
import { moodOf } from './description/mood.ts';
import { fillArea } from './fill.ts';
import { encodeImage } from './frame.ts';
import type { RenderProgress } from './partial-images.ts';
import { type Recipe, readRecipe } from './recipe.ts';
import { relight } from './relight.ts';
import { stageProducts } from './stage-products.ts';
import type { Take } from './take.ts';

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
  cut: (photos: readonly Uint8Array[]) => Promise<Cutout[]>;
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
