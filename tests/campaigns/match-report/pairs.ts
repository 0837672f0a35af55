/** The pairs of a photo and an image with which product match is measured. */
import sharp from 'sharp';
import { sampleScene, templates } from '#contract/templates.ts';
import { createRandom, type Random } from '#tests/campaigns/bench/cutout/backgrounds.ts';
import type { SampleRenderer } from '#tests/campaigns/support/render.ts';
import {
  addPart,
  asymmetry,
  badge,
  changeLightness,
  printOn,
  removePart,
  softened,
  text,
  turnHue,
  turnPastel,
} from './changes.ts';
import { between, changeLabel, oneOf, tints } from './pictures.ts';
import { type Cut, cutOut, type Product, type ProductPhoto, shuffled } from './products.ts';
import { lights, type Staging, stage } from './staging.ts';

/** What distinguishes an image from its photo, and which levels are right. */
export const rightLevels = {
  moved: ['high'],
  small: ['high'],
  relit: ['high'],
  rotated: ['high'],
  perspective: ['high'],
  jpeg: ['high'],
  rendered: ['high'],
  view: ['unknown', 'medium', 'high'],
  label: ['low'],
  text: ['low'],
  logo: ['low'],
  colour: ['low'],
  pastel: ['low'],
  lightness: ['low'],
  missing: ['low'],
  added: ['low'],
  'stretched 5 %': ['low'],
  'stretched 10 %': ['low'],
  mirrored: ['low'],
  warped: ['low'],
  similar: ['low'],
  other: ['low'],
} as const satisfies Record<string, readonly string[]>;

export type PairKind = keyof typeof rightLevels;
export const pairKinds = Object.keys(rightLevels) as PairKind[];

/** Whether the image of a pair shows the product of its photo. */
export const isSameProduct = (kind: PairKind) => (rightLevels[kind] as readonly string[]).includes('high');

/** A photo and an image. */
export interface Pair {
  /** The photo's name, and what stands in the image. */
  name: string;
  kind: PairKind;
  photo: { name: string; png: Buffer };
  image: Buffer;
}

/** A photo whose product can be cut out, and its product. */
interface Source {
  product: Product;
  photo: ProductPhoto & { mask: Buffer };
  cut: Cut;
}

interface Studio {
  random: Random;
  renderer: SampleRenderer;
  sources: readonly Source[];
}

const scenes = [
  ...templates.map(({ id }) => sampleScene(id)),
  'on a marble counter in a kitchen',
  'on grass in a garden in warm evening light',
  'on pink paper with a hard shadow',
  'in a dark studio on slate',
] as const;

/** Mean difference from its mirror image from which one can see that a product is mirrored. */
const seenMirrored = 14;

/**
 * Yields about the same number of pairs of each kind; the same for the same seed, whichever kinds are asked for.
 * @param each how many of a kind; @param kinds all unless given
 */
export async function* createPairs(
  seed: number,
  renderer: SampleRenderer,
  products: readonly Product[],
  each: number,
  kinds: readonly PairKind[] = pairKinds,
): AsyncGenerator<Pair> {
  const sources: Source[] = [];
  for (const product of products) {
    for (const photo of product.photos) {
      const { mask } = photo;
      if (mask !== null)
        sources.push({ product, photo: { ...photo, mask }, cut: await cutOut(photo.png, mask) });
    }
  }
  for (const kind of kinds) {
    const random = createRandom(seed + pairKinds.indexOf(kind));
    let made = 0;
    for (const source of inTurn(random, sources)) {
      const pair = await createPair[kind]({ random, renderer, sources }, source);
      if (pair === null) continue;
      const [photo, image, shows] = pair;
      const name = `${source.photo.name}${shows === undefined ? '' : `, ${shows}`}`;
      const isChanged = photo !== source.photo.png;
      yield {
        name,
        kind,
        photo: { name: isChanged ? `${kind} ${name}` : source.photo.name, png: photo },
        image,
      };
      made += 1;
      if (made === each) break;
    }
  }
}

/** Sources in random order, first one of each product. */
function inTurn(random: Random, sources: readonly Source[]): Source[] {
  const mixed = shuffled(random, sources);
  const isFirst = (source: Source) => mixed.find(({ product }) => product === source.product) === source;
  return [...mixed.filter(isFirst), ...mixed.filter((source) => !isFirst(source))];
}

/** Photo, image, and what stands in the image if that is not obvious; null if it cannot be made of this photo. */
type Made = [photo: Buffer, image: Buffer, shows?: string] | null;
type Make = (studio: Studio, source: Source) => Promise<Made>;

const staged =
  (staging: (random: Random) => Staging): Make =>
  async (studio, { photo, cut }) => [photo.png, await show(studio, cut, staging(studio.random))];

const changed =
  (change: (random: Random, cut: Cut) => Promise<Cut> | Cut): Make =>
  async (studio, { photo, cut }) => [photo.png, await show(studio, await change(studio.random, cut))];

const createPair: Readonly<Record<PairKind, Make>> = {
  moved: staged(() => ({})),
  small: staged((random) => ({ size: between(random, 0.3, 0.42) })),
  relit: staged((random) => ({ light: oneOf(random, lights) })),
  rotated: staged((random) => ({ turned: between(random, 20, 180) * (random() < 0.5 ? -1 : 1) })),
  perspective: staged((random) => ({ tilted: between(random, 10, 20) })),
  jpeg: staged((random) => ({ quality: Math.round(between(random, 40, 60)) })),
  async rendered({ random, renderer }, { photo }) {
    const scene = oneOf(random, scenes);
    const image = await renderer
      .render([photo.png], scene, { seed: Math.floor(random() * 1_000) })
      .catch(() => null);
    return image && [photo.png, image, scene];
  },
  async view(studio, { product, photo }) {
    const others = product.photos.filter(({ name }) => name !== photo.name);
    if (others.length === 0) return null;
    const other = oneOf(studio.random, others);
    const asItIs = other.mask === null || studio.random() < 0.5;
    const image = asItIs
      ? await sharp(other.png).resize(1_024, 1_024, { fit: 'inside' }).png().toBuffer()
      : await show(studio, await cutOut(other.png, other.mask!));
    return [photo.png, image, `${other.name}${asItIs ? '' : ' staged'}`];
  },
  async label(studio, source) {
    const { photo } = source;
    if (photo.label === null || studio.random() < 0.3) {
      return printed(studio, source, {
        printed: text('NORDLYS'),
        changed: text('VELORAN'),
        share: 0.36,
        ratio: 5,
      });
    }
    const relabelled = await changeLabel(studio.random, photo.png, photo.label);
    return [photo.png, await show(studio, await cutOut(relabelled, photo.mask)), 'its own label'];
  },
  text: (studio, source) =>
    printed(studio, source, { printed: text('330 ml'), changed: text('500 ml'), share: 0.17, ratio: 3 }),
  logo: (studio, source) =>
    printed(studio, source, { printed: badge, changed: null, share: 0.11, ratio: 1.2 }),
  colour: changed((random, cut) => turnHue(cut, Math.round(between(random, 60, 300)), oneOf(random, tints))),
  async pastel(studio, { photo, cut }) {
    const { data, info } = await sharp(photo.png).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    const { width, height } = info;
    const pale = softened({ data, width, height });
    const png = await sharp(pale.data, { raw: { width, height, channels: 4 } })
      .removeAlpha()
      .png()
      .toBuffer();
    return [png, await show(studio, await turnPastel(cut))];
  },
  lightness: changed((_random, cut) => changeLightness(cut)),
  missing: changed(removePart),
  added: changed(addPart),
  'stretched 5 %': staged((random) => ({ stretched: oneOf(random, [0.95, 1.05]) })),
  'stretched 10 %': staged((random) => ({ stretched: oneOf(random, [0.9, 1.1]) })),
  async mirrored(studio, source) {
    if (asymmetry(source.cut) < seenMirrored) return null;
    return staged(() => ({ mirrored: true }))(studio, source);
  },
  warped: staged((random) => ({ warped: between(random, 0.025, 0.04) })),
  async similar(studio, { product, photo }) {
    const likes = studio.sources.filter(
      (other) => other.product !== product && other.product.family === product.family,
    );
    if (likes.length === 0) return null;
    const like = oneOf(studio.random, likes);
    return [photo.png, await show(studio, like.cut), like.photo.name];
  },
  async other(studio, { product, photo }) {
    const other = oneOf(
      studio.random,
      studio.sources.filter((one) => one.product.family !== product.family),
    );
    return [photo.png, await show(studio, other.cut), other.photo.name];
  },
};

function show({ random, sources }: Studio, cut: Cut, staging: Staging = {}): Promise<Buffer> {
  return stage(random, cut, staging, oneOf(random, sources).photo.png);
}

async function printed(
  studio: Studio,
  { photo }: Source,
  print: Parameters<typeof printOn>[3],
): Promise<Made> {
  const photos = await printOn(studio.random, photo.png, photo.mask, print);
  return photos && [photos.photo, await show(studio, await cutOut(photos.changed, photo.mask))];
}
