/** The two small models that find hands (model/README.md): what belongs to a person, and palms. Loaded when first used. */
import { fileURLToPath } from 'node:url';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { sharp } from '#shared/platform/sharp.ts';
import { type Box, type Pixels, type Plane, sampleAt } from './pixels.ts';
import { sessionOptions } from './saliency.ts';

/** Width and height of what `findPeople` answers. */
export const peopleSide = 256;
const palmSide = 192;

const loaded = new Map<string, Promise<InferenceSession>>();

function load(name: string): Promise<InferenceSession> {
  const file = fileURLToPath(new URL(`model/${name}.onnx`, import.meta.url));
  const session = loaded.get(name) ?? InferenceSession.create(file, sessionOptions(false));
  loaded.set(name, session);
  return session;
}

/** Runs a model on red, green and blue from 0 to 1. @param pixels `side` × `side` × 3 bytes @param at the pixel to read for each */
async function run(
  name: string,
  pixels: Uint8Array,
  side: number,
  output: string,
  at = (index: number) => index,
) {
  const session = await load(name);
  const area = side * side;
  const values = new Float32Array(3 * area);
  for (let index = 0; index < area; index += 1) {
    const from = at(index) * 3;
    for (let channel = 0; channel < 3; channel += 1)
      values[channel * area + index] = pixels[from + channel]! / 255;
  }
  const answer = await session.run({ image: new Tensor('float32', values, [1, 3, side, side]) }, [output]);
  return answer[output]!.data as Float32Array;
}

const rowsOf = ({ data, width, height }: Pixels) => sharp(data, { raw: { width, height, channels: 4 } });

/** The shapes in which a photo is looked at, in pixels: what is an arm in each of them is one. */
const shapes = [
  { width: peopleSide, height: peopleSide, isMirrored: false },
  { width: peopleSide, height: peopleSide, isMirrored: true },
  { width: peopleSide, height: Math.round(peopleSide * 0.8), isMirrored: false },
  { width: Math.round(peopleSide * 0.8), height: peopleSide, isMirrored: true },
];

/** How likely each part of a photo belongs to a person, 0–1: the mean of four looks at it. */
export async function findPeople(photo: Pixels): Promise<Plane> {
  const side = peopleSide;
  const mean = new Float32Array(side * side);
  for (const { width, height, isMirrored } of shapes) {
    const left = (side - width) >> 1;
    const top = (side - height) >> 1;
    const pixels = await rowsOf(photo)
      .removeAlpha()
      .resize(width, height, { fit: 'fill' })
      .flop(isMirrored)
      .extend({ left, right: side - width - left, top, bottom: side - height - top, background: '#000' })
      .raw()
      .toBuffer();
    const seen = {
      width: side,
      height: side,
      data: await run('selfie-segmentation', pixels, side, 'people'),
    };
    for (let index = 0; index < mean.length; index += 1) {
      const column = ((index % side) + 0.5) * (width / side) - 0.5 + left;
      const row = (Math.floor(index / side) + 0.5) * (height / side) - 0.5 + top;
      mean[index]! += sampleAt(seen, isMirrored ? side - 1 - column : column, row) / shapes.length;
    }
  }
  return { width: side, height: side, data: mean };
}

/** How an upright picture is read when it is turned by a quarter, a half, and three quarters. */
const turns: readonly ((index: number) => number)[] = [
  (index) => index,
  (index) => (index % palmSide) * palmSide + (palmSide - 1 - Math.floor(index / palmSide)),
  (index) => palmSide * palmSide - 1 - index,
  (index) => (palmSide - 1 - (index % palmSide)) * palmSide + Math.floor(index / palmSide),
];

/**
 * Whether a palm is seen in a photo, or in one of its parts, in any of four directions: a grip hides most of a palm.
 * @param leastScore 0–1
 */
export async function seesPalm(photo: Pixels, leastScore: number): Promise<boolean> {
  const views = await Promise.all(partsOf(photo).map((part) => viewOf(photo, part)));
  for (const turn of turns) {
    for (const view of views) {
      const scores = await run('palm-detection', view, palmSide, 'scores', turn);
      if (1 / (1 + Math.exp(-scores.reduce((most, score) => Math.max(most, score)))) >= leastScore)
        return true;
    }
  }
  return false;
}

/** The whole photo, and nine squares of it that overlap. */
function partsOf({ width, height }: Pixels): Box[] {
  const side = Math.round(Math.min(width, height) * 0.7);
  const steps = [0, 0.5, 1];
  const parts = steps.flatMap((down) =>
    steps.map((across) => ({
      left: Math.round((width - side) * across),
      top: Math.round((height - side) * down),
      width: side,
      height: side,
    })),
  );
  return [{ left: 0, top: 0, width, height }, ...parts];
}

function viewOf(photo: Pixels, part: Box): Promise<Buffer> {
  return rowsOf(photo)
    .extract(part)
    .removeAlpha()
    .resize(palmSide, palmSide, { fit: 'contain', background: '#000' })
    .raw()
    .toBuffer();
}
