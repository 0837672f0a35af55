/**
 * Whether a hand holds the product. Either the colour says so (hand-colours.ts), or two models agree: one marks what belongs
 * to a person, here an arm that reaches from the frame to the product, the other sees a palm. Each model alone takes wooden
 * tables and patterns for one now and then. Their arms must have a colour that skin of any tone can have.
 * docs/measured.md#cutouts says how often this is right.
 */
import { isOfProduct, takeArea } from './hand-areas.ts';
import { showsArm } from './hand-colours.ts';
import { findPeople, peopleSide, seesPalm } from './hand-models.ts';
import type { Location } from './locate.ts';
import { type Mask, type Pixels, resizePixels } from './pixels.ts';

/** From this value on, something belongs to a person. */
const leastLikely = 0.6;
/** The least that an arm takes of the photo, and of its frame. */
const leastArea = 0.05;
const leastFrame = 0.06;
/** The least share of the colour of skin: beside the frame; or, with half of it in the whole area, beside the frame. */
const leastSkin = { beside: 0.5, whole: 0.5, besideThen: 0.2 };
/** How far from the frame an arm is beside it. */
const besideFrame = 32;
/** How far from the product an arm may end: a finger has a shadow. */
const gap = 4;
/** The least score of a palm. */
const leastPalm = 0.7;

const side = peopleSide;

/** Whether a hand holds the product of a photo. @param mask the product, stretched over the location's box */
export async function isHeld(photo: Pixels, location: Pick<Location, 'box'>, mask: Mask): Promise<boolean> {
  return (await showsArm(photo, location, mask)) || (await modelsSeeHand(photo, location, mask));
}

async function modelsSeeHand(photo: Pixels, { box }: Pick<Location, 'box'>, mask: Mask): Promise<boolean> {
  const { data: people } = await findPeople(photo);
  const { data: colours } = await resizePixels(photo, side, side);
  const isPerson = Uint8Array.from(people, (value) => (value >= leastLikely ? 1 : 0));
  const isProduct = (x: number, y: number) =>
    isOfProduct(((x + 0.5) / side) * photo.width, ((y + 0.5) / side) * photo.height, box, mask);
  for (let start = 0; start < isPerson.length; start += 1) {
    if (isPerson[start] === 0) continue;
    const area = takeArea(start, isPerson, side);
    if (isArm(area, colours) && touches(area, isProduct)) return seesPalm(photo, leastPalm);
  }
  return false;
}

/** Whether an area comes from the frame, and has the colour of skin there. */
function isArm(area: readonly number[], colours: Uint8ClampedArray): boolean {
  if (area.length < leastArea * side * side) return false;
  const isAtFrame = (at: number) =>
    at % side === 0 || at % side === side - 1 || at < side || at >= side * (side - 1);
  const ends = area.filter(isAtFrame);
  if (ends.length < leastFrame * 4 * side) return false;
  const beside = area.filter((at) =>
    ends.some((end) => Math.hypot((end % side) - (at % side), (end - at) / side) < besideFrame),
  );
  const share = (pixels: readonly number[]) =>
    pixels.filter((at) => hasSkin(colours, at)).length / pixels.length;
  const atFrame = share(beside);
  return atFrame >= leastSkin.beside || (atFrame >= leastSkin.besideThen && share(area) >= leastSkin.whole);
}

/** Whether a pixel can be skin of any tone: reddish, and neither grey nor a strong colour. */
function hasSkin(colours: Uint8ClampedArray, at: number): boolean {
  const [red, green, blue] = [colours[at * 4]!, colours[at * 4 + 1]!, colours[at * 4 + 2]!];
  const cb = 128 - 0.1687 * red - 0.3313 * green + 0.5 * blue;
  const cr = 128 + 0.5 * red - 0.4187 * green - 0.0813 * blue;
  return red > green && green >= blue * 0.85 && cb > 80 && cb < 126 && cr > 132 && cr < 180;
}

/** Whether an area reaches the product. */
function touches(area: readonly number[], isProduct: (x: number, y: number) => boolean): boolean {
  return area.some((at) => {
    const [x, y] = [at % side, Math.floor(at / side)];
    return [
      [-gap, 0],
      [gap, 0],
      [0, -gap],
      [0, gap],
    ].some(([across, down]) => isProduct(x + across!, y + down!));
  });
}
