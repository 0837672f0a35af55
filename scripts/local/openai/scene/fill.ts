/** Removes what is in an area of a picture: the area is filled with the colours around it. */
import { gaussianBlur } from '../cutout/box-blur.ts';
import { type Drawing, openShares } from '../mask.ts';
import { hashAt } from './noise.ts';

/** Reaches of the fill as shares of the shorter side: near colours first, farther ones where nothing is near. */
const reaches = [0.006, 0.02, 0.06, 0.18, 0.5];
/** The least share of known pixels from which a colour is taken. */
const leastKnown = 0.02;

/** The picture with its area filled. @param mask transparent in the area */
export async function fillArea(picture: Drawing, mask: Uint8Array): Promise<Drawing> {
  const { width, height, channels } = picture;
  const known = (await openShares(mask, width, height)).map((open) => 1 - open);
  const data = Buffer.from(picture.data);
  const filled = known.map((share) => (share === 1 ? 1 : 0));
  const planes = Array.from({ length: channels }, (_, channel) =>
    known.map((share, index) => share * picture.data[index * channels + channel]!),
  );
  for (const reach of reaches) {
    const blur = (plane: Float32Array) => gaussianBlur(plane, width, height, Math.min(width, height) * reach);
    const amount = blur(known);
    const sums = planes.map(blur);
    for (let index = 0; index < filled.length; index += 1) {
      if (filled[index] === 1 || amount[index]! < leastKnown) continue;
      filled[index] = 1;
      const grain = hashAt(7, index, 0) * 3 - 1.5;
      for (let channel = 0; channel < channels; channel += 1) {
        const value = sums[channel]![index]! / amount[index]!;
        data[index * channels + channel] = Math.min(
          255,
          Math.max(0, Math.round(channel < 3 ? value + grain : value)),
        );
      }
    }
    if (!filled.includes(0)) break;
  }
  return { width, height, channels, data };
}
