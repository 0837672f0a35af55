/** Salient object detection with u2netp (worker/product-match/model/README.md): a file, of which there is one copy. */
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import sharp from 'sharp';
import type { Box, Pixels, Plane } from './pixels.ts';

const model = new URL('../../../../worker/product-match/model/u2netp.onnx', import.meta.url);
const side = 320;
const means = [0.485, 0.456, 0.406];
const deviations = [0.229, 0.224, 0.225];

let loading: Promise<InferenceSession> | undefined;

/** Loads the model (about 0.1 s the first time). */
export function loadSaliency(): Promise<InferenceSession> {
  loading ??= InferenceSession.create(fileURLToPath(model), {
    intraOpNumThreads: Math.min(2, availableParallelism()),
    // An arena would keep its 250 MB between photos, to save 30 ms for each run.
    enableCpuMemArena: false,
    enableMemPattern: false,
  });
  return loading;
}

/**
 * How salient each part of a box of the photo is.
 * @returns 320 × 320 values from 0 to 1, stretched over the box
 */
export async function findSaliency(photo: Pixels, box: Box): Promise<Plane> {
  const session = await loadSaliency();
  const bytes = await sharp(photo.data, { raw: { width: photo.width, height: photo.height, channels: 4 } })
    .extract(box)
    .removeAlpha()
    .resize(side, side, { fit: 'fill' })
    .raw()
    .toBuffer();
  const brightest = bytes.reduce((most, value) => Math.max(most, value), 1);
  const area = side * side;
  const input = new Float32Array(3 * area);
  for (let index = 0; index < area; index += 1) {
    for (let channel = 0; channel < 3; channel += 1) {
      const value = bytes[index * 3 + channel]! / brightest;
      input[channel * area + index] = (value - means[channel]!) / deviations[channel]!;
    }
  }
  const inputName = session.inputNames[0]!;
  const outputName = session.outputNames[0]!;
  const feeds = { [inputName]: new Tensor('float32', input, [1, 3, side, side]) };
  const answer = await session.run(feeds, [outputName]);
  // The values are between 0 and 1 already; normalising them would make something salient in every photo.
  const data = Float32Array.from(answer[outputName]!.data as Float32Array);
  return { width: side, height: side, data };
}
