import { fileURLToPath } from 'node:url';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { sharp } from '#shared/platform/sharp.ts';

/** Width and height of the model's input and output. */
export const saliencySide = 320;
const means = [0.485, 0.456, 0.406];
const deviations = [0.229, 0.224, 0.225];

let loading: Promise<InferenceSession> | undefined;

/** Loads the model, once in a process (model/README.md). */
function loadSaliency(): Promise<InferenceSession> {
  loading ??= InferenceSession.create(fileURLToPath(new URL('model/u2netp.onnx', import.meta.url)), {
    // The check must not take the time of the attempts that the worker makes meanwhile.
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    // The arena keeps memory between photos, and saves a fifth of the processor time. A memory pattern only takes memory.
    enableCpuMemArena: true,
    enableMemPattern: false,
  });
  return loading;
}

/** How salient each pixel of a photo is: 320 × 320 values from 0 to 255, stretched over it. @param photo RGB */
export async function findSaliency(photo: { data: Buffer; width: number; height: number }): Promise<Buffer> {
  const session = await loadSaliency();
  const { data, width, height } = photo;
  const bytes = await sharp(data, { raw: { width, height, channels: 3 } })
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
  const values = answer[outputName]!.data as Float32Array;
  const saliency = Buffer.alloc(area);
  for (let index = 0; index < area; index += 1) saliency[index] = values[index]! * 255;
  return saliency;
}
