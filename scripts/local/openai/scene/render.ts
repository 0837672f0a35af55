/** Renders an image from photos and a description; the steps are in order of execution. */
import { createHash } from 'node:crypto';
import { UncuttableError } from '../../../../shared/cutout/cutout.ts';
import type { RenderJob } from '../renderer.ts';
import { changePicture, type MadePicture } from './change-picture.ts';
import { isChange } from './description/changes.ts';
import { sceneOf, showsSeveral } from './description/describe.ts';
import { encodeImage } from './frame.ts';
import { seedOf } from './noise.ts';
import { writeRecipe } from './recipe.ts';
import { drawEmptyScene, stageProducts } from './stage-products.ts';
import type { RenderProgress } from './staged-products.ts';
import { cutSubject, type Subject } from './subject.ts';
import { takeOf } from './take.ts';

/**
 * Renders one image; without a photo, the scene alone. The same job gives the same pixels.
 * @throws when cancelled; UncuttableError when no product can be cut out of the photos, or out of one of several
 * products' photos; sharp's error when a photo cannot be decoded
 */
export async function renderImage(job: RenderJob, progress: RenderProgress): Promise<Uint8Array> {
  const { drawing, recipe } = await makePicture(job, progress);
  const { data, ...size } = drawing;
  const encoded = await encodeImage(data, size, job.outputFormat, job.outputCompression);
  return job.outputFormat === 'png' && recipe !== undefined ? writeRecipe(encoded, recipe) : encoded;
}

async function makePicture(job: RenderJob, progress: RenderProgress): Promise<MadePicture> {
  if (job.images.length === 0) return { drawing: await drawEmptyScene(job), recipe: undefined };
  const take = takeOf(
    seedOf(
      job.prompt,
      ...job.images,
      ...(job.seed === undefined ? [`${job.variant}`] : ['seed', `${job.seed + job.variant}`]),
    ),
    job,
  );
  const cut = (photos: readonly Uint8Array[]) => cutAll(photos, job, progress);
  if (job.mask !== undefined || isChange(job.prompt)) return changePicture({ job, take, cut }, progress);
  const drawing = await stageProducts(await cut(job.images), job, take, progress);
  return { drawing, recipe: { scenes: [sceneOf(job.prompt)], take, patched: false } };
}

async function cutAll(
  photos: readonly Uint8Array[],
  { prompt }: RenderJob,
  { isCancelled }: RenderProgress,
): Promise<Subject[]> {
  const cutouts: Subject[] = [];
  let refused: UncuttableError | undefined;
  for (const [index, photo] of photos.entries()) {
    try {
      cutouts.push(await cutOnce(photo));
    } catch (error) {
      if (!(error instanceof UncuttableError)) throw error;
      if (photos.length > 1) error.photo = index + 1;
      refused ??= error;
    }
    if (isCancelled()) throw new Error('cancelled');
  }
  // Of several views of one product, one usable view is enough: a close-up of a detail can never be cut out.
  const needsAll = showsSeveral(prompt);
  if (refused !== undefined && (needsAll || cutouts.length === 0)) throw refused;
  return cutouts;
}

/** The newest cutouts by the hash of their photo: the takes of a set show the same photos. */
const recent = new Map<string, Subject>();
const recentCutouts = 4;

async function cutOnce(photo: Uint8Array): Promise<Subject> {
  const key = createHash('sha256').update(photo).digest('hex');
  const cutout = recent.get(key) ?? (await cutSubject(photo));
  recent.delete(key);
  recent.set(key, cutout);
  for (const oldest of recent.keys()) if (recent.size > recentCutouts) recent.delete(oldest);
  return cutout;
}
