/** Salient object detection with u2netp (model/README.md). */
import { fileURLToPath } from 'node:url';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { sharp } from '#shared/platform/sharp.ts';
import type { Box, Plane } from './pixels.ts';

/** Width and height of the model's input and output. */
export const saliencySide = 320;
const means = [0.485, 0.456, 0.406];
const deviations = [0.229, 0.224, 0.225];

let loading: Promise<InferenceSession> | undefined;

/**
 * Loads the model, once in a process (about 0.1 s the first time).
 * @param keepsMemory between photos (250 MB), which saves a fifth of the processor time
 */
export function loadSaliency({ keepsMemory = false } = {}): Promise<InferenceSession> {
  loading ??= InferenceSession.create(fileURLToPath(new URL('model/u2netp.onnx', import.meta.url)), {
    // It must not take the time of what the machine does beside it.
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    enableCpuMemArena: keepsMemory,
    // A memory pattern only takes memory.
    enableMemPattern: false,
  });
  return loading;
}

/** Pixels row by row, red, green and blue first. */
interface Photo {
  data: Uint8Array | Uint8ClampedArray;
  width: number;
  height: number;
}

/**
 * How salient each part of a box of the photo is.
 * @param box the whole photo unless given
 * @returns 320 × 320 values from 0 to 1, stretched over the box
 */
export async function findSaliency(photo: Photo, box?: Box): Promise<Plane> {
  const session = await loadSaliency();
  const { data, width, height } = photo;
  const channels = data.length / (width * height) === 3 ? 3 : 4;
  const bytes = await sharp(data, { raw: { width, height, channels } })
    .extract(box ?? { left: 0, top: 0, width, height })
    .removeAlpha()
    .resize(saliencySide, saliencySide, { fit: 'fill' })
    .raw()
    .toBuffer();
  const brightest = bytes.reduce((most, value) => Math.max(most, value), 1);
  const area = saliencySide * saliencySide;
  const input = new Float32Array(3 * area);
  for (let index = 0; index < area; index += 1) {
    for (let channel = 0; channel < 3; channel += 1) {
      const value = bytes[index * 3 + channel]! / brightest;
      input[channel * area + index] = (value - means[channel]!) / deviations[channel]!;
    }
  }
  const [inputName, outputName] = [session.inputNames[0]!, session.outputNames[0]!];
  const feeds = { [inputName]: new Tensor('float32', input, [1, 3, saliencySide, saliencySide]) };
  const answer = await session.run(feeds, [outputName]);
  // The values are between 0 and 1 already; normalising them would make something salient in every photo.
  const values = Float32Array.from(answer[outputName]!.data as Float32Array);
  return { width: saliencySide, height: saliencySide, data: values };
}
