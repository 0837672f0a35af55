/** The pairs of a photo and an image with which product match is measured. */
import type { Random } from '#tests/campaigns/bench/cutout/backgrounds.ts';
import type { SampleRenderer } from '#tests/campaigns/support/render.ts';
import { changeColour, changeLabel, moveProduct, oneOf } from './pictures.ts';
import { maskedNames, readCup, readSample, type Sample, sameKind } from './samples.ts';

/** What distinguishes an image from its photo, and how it should be judged. */
export const expectedLevels = {
  moved: 'high',
  rendered: 'high',
  label: 'low',
  colour: 'low',
  other: 'low',
} as const;

export type PairKind = keyof typeof expectedLevels;

/** A photo and an image. */
export interface Pair {
  /** The photo's name, and what stands in the image. */
  name: string;
  kind: PairKind;
  photo: Sample;
  image: Buffer;
}

const movedImages = 2;
const relabelledImages = 2;
const renderedImages = 2;
const scenes = [
  'on a wooden table by a window',
  'on a white background',
  'on a marble counter in a kitchen',
  'on grass in a garden in warm evening light',
  'on pink paper with a hard shadow',
  'on a stone wall at a lake',
  'in a dark studio on slate',
] as const;

/** Yields the pairs, all of a photo together; the same for the same random numbers. */
export async function* createPairs(random: Random, renderer: SampleRenderer): AsyncGenerator<Pair> {
  const samples = await Promise.all(maskedNames.map(readSample));
  for (const photo of samples) {
    yield* composedPairs(random, photo, samples);
    yield* renderedPairs(random, photo, renderer);
  }
  yield* renderedPairs(random, readCup(), renderer);
}

async function* composedPairs(
  random: Random,
  photo: Sample,
  samples: readonly Sample[],
): AsyncGenerator<Pair> {
  const { name, png, label } = photo;
  const mask = photo.mask!;
  for (let count = 0; count < movedImages; count += 1) {
    yield { name, kind: 'moved', photo, image: await moveProduct(random, png, mask) };
  }
  const other = oneOf(
    random,
    samples.filter((sample) => !sameKind(sample.name, name)),
  );
  yield {
    name: `${name}, ${other.name}`,
    kind: 'other',
    photo,
    image: await moveProduct(random, other.png, other.mask!),
  };
  const recoloured = await changeColour(random, png);
  yield { name, kind: 'colour', photo, image: await moveProduct(random, recoloured, mask) };
  if (label === null) return;
  for (let count = 0; count < relabelledImages; count += 1) {
    const relabelled = await changeLabel(random, png, label);
    yield { name, kind: 'label', photo, image: await moveProduct(random, relabelled, mask) };
  }
}

async function* renderedPairs(random: Random, photo: Sample, renderer: SampleRenderer): AsyncGenerator<Pair> {
  for (let count = 0; count < renderedImages; count += 1) {
    const scene = oneOf(random, scenes);
    const image = await renderer.render([photo.png], scene, { seed: Math.floor(random() * 1_000) });
    yield { name: `${photo.name}, ${scene}`, kind: 'rendered', photo, image };
  }
}
