/** The materials of surfaces. */
import { createNoise, hashAt, layered, type Noise } from './noise.ts';
import { grained, type Material, put } from './surface.ts';
import { floorWood } from './wood.ts';

/** One uniform, matt colour. */
const plain: Material = (colour) => (_u, _v, _footprint, point) => {
  put(point, colour, [1, 1, 1], 0, 0.1);
};

/** Brushed metal: fine horizontal scratches. */
const metal = grained(0.01, ({ noise, fine }, u, v, colour, point) => {
  const scratch = noise(u * 2.6, v * 260) * 0.6 + noise(u * 7, v * 420 + 90) * 0.4;
  const sheen = layered(noise, u * 0.4, v * 2.5, 3);
  const value = 1 + scratch * 0.16 * fine + sheen * 0.16;
  put(point, colour, [value, value, value], scratch * 0.0004 * fine, 0.6);
});

/** Glass, acrylic or a mirror: a faint colour of its own and a strong reflection. */
const glass: Material = (colour) => (_u, _v, _footprint, point) => {
  put(point, colour, [1, 1, 1], 0, 0.9);
};

/** Polished marble: clouds, and veins where warped noise passes through zero. */
const marble: Material = (colour, seed) => {
  const noise = createNoise(seed);
  const dark = colour[1] < 0.2;
  return (u, v, footprint, point) => {
    const x = u * 0.9 + 13;
    const y = v * 0.9 - 7;
    const warpX = layered(noise, x * 1.3, y * 1.3, 4) * 1.1;
    const warpY = layered(noise, x * 1.3 + 50, y * 1.3 + 50, 4) * 1.1;
    const band = Math.abs(layered(noise, x * 0.8 + y * 0.5 + warpX, y * 0.9 - x * 0.35 + warpY, 3));
    const vein =
      Math.max(0, 1 - band / (0.028 + footprint)) ** 1.5 *
      (0.35 + 0.65 * Math.max(0, noise(x * 1.7, y * 1.7) + 0.4));
    const thread = Math.abs(layered(noise, x * 2.1 + warpY * 1.7 + 80, y * 2.1 + warpX * 1.7, 3));
    const fine = Math.max(0, 1 - thread / (0.016 + footprint)) * 0.45;
    const cloud = layered(noise, x * 0.9 + warpX, y * 0.9 + 20, 4);
    const halo = Math.max(0, 1 - band / 0.22) ** 2;
    const veining = vein * 0.62 + fine * 0.4 + halo * 0.16;
    const value = dark ? 1 + cloud * 0.5 + veining * 9 : 1 + cloud * 0.09 - veining * 0.8;
    put(
      point,
      colour,
      [value, value * (dark ? 1 : 1.0 + veining * 0.02), value * (dark ? 0.96 : 1 + veining * 0.06)],
      0,
      0.5,
    );
  };
};

/** Cast concrete: stains, fine grain, a few open pores. */
const concrete = grained(0.012, ({ noise, fine }, u, v, colour, point) => {
  const stain = layered(noise, u * 1.4, v * 1.4, 5);
  const grain = layered(noise, u * 60, v * 60, 2) * fine;
  const pore = Math.max(0, noise(u * 46 + 9, v * 46 + 5) - 0.8) * 5 * fine;
  const value = 1 + stain * 0.26 + grain * 0.1 - pore * 0.5;
  put(
    point,
    colour,
    [value, value, value * (1 - stain * 0.03)],
    (grain * 0.0016 + layered(noise, u * 9, v * 9, 3) * 0.004 - pore * 0.005) * fine,
    0.07 + stain * 0.03,
  );
});

/** Rough natural stone: layers, grains, pits. */
const slate = grained(0.014, ({ noise, fine }, u, v, colour, point) => {
  const ground = layered(noise, u * 2.1, v * 2.1, 5);
  const bed = layered(noise, u * 1.2 + 70, v * 5.5, 4);
  const grit = layered(noise, u * 64, v * 64, 3) * fine;
  const mineral = noise(u * 170, v * 170) * fine;
  // Small pits with a lit far rim look weathered.
  const pit = Math.max(0, noise(u * 33 + 3, v * 33 + 9) - 0.58) * fine;
  const value = 1 + ground * 0.16 + bed * 0.12 + grit * 0.2 + mineral * 0.13 - pit * 0.9;
  const warmth = layered(noise, u * 1.1 + 31, v * 1.1, 3);
  put(
    point,
    colour,
    [value * (1 + warmth * 0.12), value * (1 + warmth * 0.03), value * (1 - warmth * 0.12)],
    ground * 0.022 + bed * 0.01 + (grit * 0.0035 - pit * 0.03) * fine,
    0.1,
  );
});

/** Terrazzo: stone chips in cement, polished. */
const terrazzo: Material = (colour, seed) => {
  const tints = [
    [0.5, 0.21, 0.13],
    [0.09, 0.12, 0.12],
    [0.62, 0.5, 0.33],
    [0.3, 0.36, 0.33],
    [0.8, 0.76, 0.7],
  ] as const;
  return (u, v, footprint, point) => {
    const density = 19;
    const x = u * density;
    const y = v * density;
    const cellX = Math.floor(x);
    const cellY = Math.floor(y);
    let nearest = 9;
    let chip = 0;
    for (let dy = -1; dy <= 1; dy += 1) {
      for (let dx = -1; dx <= 1; dx += 1) {
        const [cx, cy] = [cellX + dx, cellY + dy];
        const px = cx + hashAt(seed, cx, cy) - x;
        const py = cy + hashAt(seed + 1, cx, cy) - y;
        const turn = hashAt(seed + 2, cx, cy) * 3.14;
        const size = 0.12 + hashAt(seed + 3, cx, cy) ** 2 * 0.42;
        const a = Math.abs(px * Math.cos(turn) + py * Math.sin(turn));
        const b = Math.abs(py * Math.cos(turn) - px * Math.sin(turn)) * 1.5;
        const distance = (Math.max(a, b) * 0.7 + (a + b) * 0.3) / size;
        if (distance < nearest) {
          nearest = distance;
          chip = Math.floor(hashAt(seed + 4, cx, cy) * tints.length);
        }
      }
    }
    const soft = 0.08 + footprint * density * 2;
    const share = Math.min(1, Math.max(0, (1 - nearest) / soft));
    const tint = tints[chip]!;
    point.red = colour[0] + (tint[0] - colour[0]) * share;
    point.green = colour[1] + (tint[1] - colour[1]) * share;
    point.blue = colour[2] + (tint[2] - colour[2]) * share;
    point.relief = 0;
    point.gloss = 0.4;
  };
};

/** Glazed square tiles with grout in between. */
const tiles: Material = (colour, seed) => {
  const noise = createNoise(seed);
  const side = 0.42;
  return (u, v, footprint, point) => {
    const cellX = Math.floor(u / side);
    const cellY = Math.floor(v / side);
    const edge = Math.min(u - cellX * side, v - cellY * side, (cellX + 1) * side - u, (cellY + 1) * side - v);
    const grout = Math.min(1, Math.max(0, (0.012 - edge) / (0.002 + footprint)));
    const value =
      (1 + (hashAt(seed, cellX, cellY) - 0.5) * 0.1 + layered(noise, u * 3, v * 3, 3) * 0.05) *
      (1 - grout * 0.42);
    put(
      point,
      colour,
      [value, value, value],
      Math.min(edge, 0.02) * 0.25 + noise(u * 5, v * 5) * 0.0015,
      0.5 - grout * 0.45,
    );
  };
};

/** Long soft folds, as in cloth that was laid out by hand. */
function folds(noise: Noise, u: number, v: number): number {
  const bend = layered(noise, u * 0.7, v * 0.7, 2);
  const run = u * 0.8 + v * 1.2 + bend * 1.6;
  const ridge = 1 - Math.abs(noise(run * 1.4 + 20, (v - u) * 0.45 + bend));
  // Rounded at the top: a fold of cloth has no crease.
  const rounded = 1 - Math.sqrt((1 - ridge) ** 2 + 0.02);
  return Math.max(0, rounded) ** 2 * 0.06 + layered(noise, u * 1.1 + 60, v * 1.1, 2) * 0.06;
}

/** Woven linen: uneven threads over and under each other, with folds. */
const linen: Material = (colour, seed) => {
  const noise = createNoise(seed);
  const threads = 150;
  return (u, v, footprint, point) => {
    const fine = Math.max(0, 1 - footprint / 0.0075);
    const x = u * threads + noise(v * 9, u * 2) * 0.8;
    const y = v * threads + noise(u * 9, v * 2 + 40) * 0.8;
    const warp = Math.sin(x * Math.PI);
    const weft = Math.sin(y * Math.PI);
    const slub = noise(Math.floor(x) * 7.3, v * 5) * 0.5 + noise(u * 5, Math.floor(y) * 7.3) * 0.5;
    const over = warp * warp * weft * weft;
    const value =
      1 +
      slub * 0.16 * (0.35 + 0.65 * fine) +
      (over - 0.25) * 0.3 * fine +
      layered(noise, u * 2, v * 2, 3) * 0.06;
    put(point, colour, [value, value, value], folds(noise, u, v) + over * 0.0012 * fine, 0);
  };
};

/** Velvet: a deep colour, with folds that shine along their sides. */
const velvet = grained(0.01, ({ noise, fine }, u, v, colour, point) => {
  const relief = folds(noise, u * 0.9, v * 0.9) * 1.7;
  const slope = folds(noise, u * 0.9 + 0.03, v * 0.9) * 1.7 - relief;
  const brushed = layered(noise, u * 5, v * 3, 3) * 0.22;
  const value = 0.45 + Math.min(1.3, Math.abs(slope) * 34) + brushed + noise(u * 220, v * 220) * 0.1 * fine;
  put(point, colour, [value, value, value], relief, 0);
});

/** Paper or card: nearly uniform, with very faint fibres. */
const paper = grained(0.008, ({ noise, fine }, u, v, colour, point) => {
  const value = 1 + layered(noise, u * 90, v * 90, 2) * 0.045 * fine + layered(noise, u, v, 2) * 0.02;
  put(point, colour, [value, value, value], 0, 0.02);
});

/** Sand with wind ripples and single bright and dark grains. */
const sand = grained(0.008, ({ noise, fine, footprint, seed }, u, v, colour, point) => {
  const bend = layered(noise, u * 0.9, v * 0.9, 3);
  const ripple = Math.sin((v * 1.15 + u * 0.28 + bend * 0.7) * 23) * (0.55 + bend * 0.6);
  const grain = hashAt(seed, Math.floor(u * 330), Math.floor(v * 330)) - 0.5;
  const value = 1 + bend * 0.12 + ripple * 0.05 + grain * 0.34 * fine;
  put(
    point,
    colour,
    [value, value, value],
    ripple * 0.0085 * Math.max(0, 1 - footprint / 0.09) +
      layered(noise, u * 3, v * 3, 3) * 0.03 +
      grain * 0.0008 * fine,
    0.02,
  );
});

/** Snow: soft mounds, blue hollows, glittering crystals. */
const snow = grained(0.01, ({ noise, fine, seed }, u, v, colour, point) => {
  const mound = layered(noise, u * 1.3, v * 1.3, 4);
  const crystal = hashAt(seed, Math.floor(u * 260), Math.floor(v * 260));
  const glitter = crystal > 0.992 ? 0.3 * fine : 0;
  const value = 1 + mound * 0.06 + (crystal - 0.5) * 0.05 * fine + glitter;
  put(
    point,
    colour,
    [value * (0.985 + mound * 0.05), value, value * (1.015 - mound * 0.04)],
    mound * 0.1 + layered(noise, u * 26, v * 26, 2) * 0.003 * fine,
    0.04,
  );
});

/** A lawn: tufts and blades in many greens, drawn as noise stretched towards the viewer. */
const grass: Material = (colour, seed) => {
  const noise = createNoise(seed);
  const blades = createNoise(seed + 1);
  return (u, v, footprint, point) => {
    const fine = Math.max(0, 1 - footprint / 0.014);
    const lean = noise(u * 5, v * 5) * 0.05;
    const blade = blades((u + lean) * 120, v * 22) * 0.6 + blades((u - lean) * 210 + 31, v * 40) * 0.4;
    const tuft = layered(noise, u * 5.5, v * 5.5, 3);
    const value = 0.86 + tuft * 0.5 + blade * (0.2 + 0.5 * fine);
    const yellow = Math.max(0, blade * 0.5 + tuft * 0.5);
    put(
      point,
      colour,
      [
        Math.max(0.1, value) * (1 + yellow * 0.75),
        Math.max(0.12, value),
        Math.max(0.1, value) * (1 - yellow * 0.25),
      ],
      tuft * 0.03 + blade * 0.006 * fine,
      0.03,
    );
  };
};

/** Calm water: a mirror with low waves. */
const water: Material = (colour, seed) => {
  const noise = createNoise(seed);
  return (u, v, _footprint, point) => {
    const swell = layered(noise, u * 1.6, v * 3.4, 3);
    const ring = layered(noise, u * 5 + swell, v * 9, 2);
    const depth = layered(noise, u * 0.6 + 30, v * 0.6, 2);
    const value = 1 + depth * 0.3 + ring * 0.12;
    put(point, colour, [value, value, value], swell * 0.03 + ring * 0.007, 0.72);
  };
};

/** Every material by name. */
export const materials = {
  wood: floorWood,
  marble,
  concrete,
  slate,
  terrazzo,
  tiles,
  linen,
  velvet,
  paper,
  sand,
  snow,
  grass,
  water,
  metal,
  glass,
  plain,
} satisfies Record<string, Material>;

/** The name of a material. */
export type MaterialName = keyof typeof materials;
