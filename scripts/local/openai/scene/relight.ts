/** Changes the light of a picture of which only the pixels are known. */
import type { Drawing } from '../mask.ts';
import { toLinear } from './colour.ts';
import type { Mood } from './description/mood.ts';
import { createFrame, developFrame } from './frame.ts';
import { tintOf } from './light.ts';

/** The light of an instruction that names none: a change that is visible. */
const slightly = { warmth: 0.15, exposure: 0.15 };

/** The picture in the light that a mood asks for. */
export function relight({ width, height, channels, data }: Drawing, { light, saturation }: Mood): Drawing {
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
