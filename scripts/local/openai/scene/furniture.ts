/** Recognises furniture, which stands on the floor of a room and not on a table in it. */
import type { Pixels } from '../../../../shared/cutout/pixels.ts';

const furniture =
  /\b(arm)?chairs?\b|\b(bar)?stools?\b|\b(sofa|couch|settee|loveseat|bench|ottoman|wardrobe|dresser|cabinet|bookcase|sideboard|nightstand|bed|crib|floor lamp|(coffee|dining|side) table)s?\b/;
const inRooms = /\b(room|living|bedroom|apartment|house|home|interior|loft|floor)\b/;

/** Whether a product is furniture in a room. @param scene the words of the description */
export function isFurnitureInRoom(scene: string, pixels: Pixels): boolean {
  const text = scene.toLowerCase();
  return inRooms.test(text) && (standsOnLegs(pixels) || furniture.test(text.replace(/\b(on|at) .*/, '')));
}

/** Heights at which there are only legs, as shares of the product's height from its top. */
const legHeights = [0.8, 0.84, 0.88, 0.92, 0.96];
/** The widest leg, and the most that all legs together cover, as shares of the product's width. */
const widest = { one: 0.1, all: 0.18 };

/** Whether a product stands on thin legs that are far apart, as chairs, sofas and tables do. */
export function standsOnLegs({ width, height, data }: Pixels): boolean {
  let [first, last] = [width, 0];
  for (const share of legHeights) {
    const y = Math.min(height - 1, Math.floor(height * share));
    let covered = 0;
    let run = 0;
    for (let x = 0; x < width; x += 1) {
      run = data[(y * width + x) * 4 + 3]! < 128 ? 0 : run + 1;
      if (run === 0) continue;
      covered += 1;
      first = Math.min(first, x);
      last = Math.max(last, x);
      if (run > width * widest.one) return false;
    }
    if (covered > width * widest.all) return false;
  }
  return last - first > width * 0.45;
}
