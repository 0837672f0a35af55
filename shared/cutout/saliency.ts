/** Salient object detection: with u2netp (model/README.md), or with a model of the installation. */
import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { sharp } from '#shared/platform/sharp.ts';
import type { ChosenModel, ModelFamily } from './model-arguments.ts';
import type { Box, Plane } from './pixels.ts';

/** Width and height of the model's input and output, unless another is asked for or the installation has another model. */
export const saliencySide = 320;

/** What is subtracted from red, green and blue, 0 to 1, and what the rest is divided by. */
const normalisations: Readonly<Record<ModelFamily, { means: number[]; deviations: number[] }>> = {
  u2net: { means: [0.485, 0.456, 0.406], deviations: [0.229, 0.224, 0.225] },
  isnet: { means: [0.5, 0.5, 0.5], deviations: [1, 1, 1] },
};
/** ISNet's input has this side; those of the U²-Nets have 320. */
const isnetSide = 1_024;
/** A larger input would take gigabytes of memory. */
const mostSide = 2_048;

/** A loaded model. */
interface Model {
  session: InferenceSession;
  /** Names of the input and of the first output. */
  input: string;
  output: string;
  side: number;
  family: ModelFamily;
}

let chosen: ChosenModel | undefined;
/** By the side of the input that was asked for. */
const loading = new Map<number, Promise<Model>>();

/** The installation's model cannot be used; the message says why. */
class ModelError extends Error {
  override name = 'ModelError';
}

/** Sets the model of this process, before it is loaded; undefined for the one that comes with the product. */
export function chooseModel(model: ChosenModel | undefined): void {
  chosen = model;
  loading.clear();
}

/**
 * Loads the model, once in a process (about 0.1 s the first time).
 * @param keepsMemory between photos (250 MB), which saves a fifth of the processor time
 * @param side of the input, a multiple of 32 from 128: half of 320 takes a quarter of the time. A model of the installation
 * keeps its own.
 * @throws ModelError when the installation's model cannot be used
 */
export function loadSaliency({ keepsMemory = false, side = saliencySide } = {}): Promise<Model> {
  let loaded = loading.get(side);
  if (loaded === undefined) {
    loaded = load(chosen, keepsMemory, side);
    loading.set(side, loaded);
  }
  return loaded;
}

/** How many threads each model of this process uses: more would take the time of what the machine does beside it. */
let threads = 1;

/**
 * Lets the models of this process use more threads, before they are loaded: somebody waits for their answers, which are the
 * same. @param count at most as many as there are processors
 */
export function setThreads(count: number): void {
  threads = Math.min(count, availableParallelism());
}

/** How models run here. @param keepsMemory between runs */
export const sessionOptions = (keepsMemory: boolean) => ({
  intraOpNumThreads: threads,
  interOpNumThreads: 1,
  // Threads that wait for work take no processor time.
  extra: { session: { intra_op: { allow_spinning: '0' } } },
  enableCpuMemArena: keepsMemory,
  // A memory pattern only takes memory.
  enableMemPattern: false,
});

async function load(
  model: ChosenModel | undefined,
  keepsMemory: boolean,
  wantedSide: number,
): Promise<Model> {
  const file = model?.file ?? fileURLToPath(new URL('model/u2netp.onnx', import.meta.url));
  const options = sessionOptions(keepsMemory);
  let session: InferenceSession;
  try {
    // By its path: a model of the installation may have its weights in a file beside it.
    if (model || wantedSide === saliencySide) session = await InferenceSession.create(file, options);
    else session = await InferenceSession.create(withSide(await readFile(file), wantedSide), options);
  } catch (cause) {
    throw new ModelError(`${file} cannot be read as an ONNX model (${(cause as Error).message})`, { cause });
  }
  const [input, ...others] = session.inputMetadata;
  const [output] = session.outputMetadata;
  const side = input?.isTensor && others.length === 0 ? sideOf(input.shape, 3) : undefined;
  if (side === undefined || !input?.isTensor || input.type !== 'float32') {
    throw new ModelError(
      `${file} must have one input, float32 of [1, 3, side, side], and has ${shapeOf(input)}`,
    );
  }
  const answered = output?.isTensor ? output.shape : [];
  // Sides that the file leaves open are the input's.
  const isMask =
    answered.length === 4 && answered.slice(2).every((size) => typeof size === 'string' || size === side);
  if (!isMask || !output?.isTensor || output.type !== 'float32') {
    throw new ModelError(
      `the first output of ${file} must be float32 of [1, 1, ${side}, ${side}], and is ${shapeOf(output)}`,
    );
  }
  const family = model?.family ?? (side === isnetSide ? 'isnet' : 'u2net');
  return { session, input: input.name, output: output.name, side, family };
}

/**
 * The product's own model for an input of another side. It is convolutions, which take any, but its file declares one: the
 * dimension 320 in the format of ONNX, `dim { dim_value: 320 }`.
 */
function withSide(content: Buffer, side: number): Buffer {
  const dimension = (value: number) => Buffer.from([0x0a, 3, 0x08, (value & 0x7f) | 0x80, value >> 7]);
  const [declared, wanted] = [dimension(saliencySide), dimension(side)];
  const changed = Buffer.from(content);
  for (let at = changed.indexOf(declared); at >= 0; at = changed.indexOf(declared, at + 1))
    wanted.copy(changed, at);
  return changed;
}

/** The side of a square input; undefined for another shape. The number of pictures may be open. */
function sideOf(shape: readonly (number | string)[], channels: number): number | undefined {
  const [pictures, planes, height, width] = shape;
  if (shape.length !== 4 || planes !== channels || height !== width) return undefined;
  if (typeof pictures === 'number' && pictures !== 1) return undefined;
  return typeof height === 'number' && height >= 32 && height <= mostSide ? height : undefined;
}

function shapeOf(value: InferenceSession.ValueMetadata | undefined): string {
  return value?.isTensor ? `${value.type} of [${value.shape.join(', ')}]` : 'none';
}

/** Pixels row by row, red, green and blue first. */
interface Photo {
  data: Uint8Array | Uint8ClampedArray;
  width: number;
  height: number;
}

/**
 * How salient each part of a box of the photo is.
 * @param box the whole photo unless given; @param wantedSide as in {@link loadSaliency}
 * @returns values from 0 to 1, as many as the model has, stretched over the box
 */
export async function findSaliency(photo: Photo, box?: Box, wantedSide = saliencySide): Promise<Plane> {
  const { session, input, output, side, family } = await loadSaliency({ side: wantedSide });
  const { data, width, height } = photo;
  const channels = data.length / (width * height) === 3 ? 3 : 4;
  const bytes = await sharp(data, { raw: { width, height, channels } })
    .extract(box ?? { left: 0, top: 0, width, height })
    .removeAlpha()
    .resize(side, side, { fit: 'fill' })
    .raw()
    .toBuffer();
  const brightest = bytes.reduce((most, value) => Math.max(most, value), 1);
  const { means, deviations } = normalisations[family];
  const area = side * side;
  const values = new Float32Array(3 * area);
  for (let index = 0; index < area; index += 1) {
    for (let channel = 0; channel < 3; channel += 1) {
      const value = bytes[index * 3 + channel]! / brightest;
      values[channel * area + index] = (value - means[channel]!) / deviations[channel]!;
    }
  }
  const answer = await session.run({ [input]: new Tensor('float32', values, [1, 3, side, side]) }, [output]);
  const { data: found, dims } = answer[output]!;
  if (found.length !== area) {
    throw new ModelError(`the model answers with [${dims.join(', ')}] instead of [1, 1, ${side}, ${side}]`);
  }
  // The values are between 0 and 1 already; normalising them would make something salient in every photo.
  return { width: side, height: side, data: Float32Array.from(found as Float32Array) };
}

/** The same with `side` × `side` values, whatever the model has. */
export async function findSmallSaliency(photo: Photo, side = saliencySide): Promise<Plane> {
  const plane = await findSaliency(photo, undefined, side);
  if (plane.width === side) return plane;
  const data = new Float32Array(side * side);
  const scale = plane.width / side;
  for (let index = 0; index < data.length; index += 1) {
    const [column, row] = [index % side, Math.floor(index / side)];
    data[index] = meanOf(plane, column * scale, row * scale, scale);
  }
  return { width: side, height: side, data };
}

/** The mean of a square of a plane. */
function meanOf({ width, height, data }: Plane, left: number, top: number, side: number): number {
  let sum = 0;
  let count = 0;
  for (let y = Math.floor(top); y < Math.min(height, Math.max(top + side, Math.floor(top) + 1)); y += 1) {
    for (let x = Math.floor(left); x < Math.min(width, Math.max(left + side, Math.floor(left) + 1)); x += 1) {
      sum += data[y * width + x]!;
      count += 1;
    }
  }
  return sum / count;
}
