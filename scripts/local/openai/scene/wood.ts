/** Wood: grain, knots and pores of boards, on floors and tables. */
import { createNoise, hashAt, layered } from './noise.ts';
import { type Material, put } from './surface.ts';

/** How wooden boards are laid. */
interface Boards {
  width: number;
  length: number;
  gap: number;
  /** How dark the gap between two boards is, 0–1. */
  depth: number;
  /** The direction in which they run, in radians from straight away from the viewer. */
  turn: number;
}

/** A floor, whose boards run away from the viewer at a slight angle. */
const floorBoards: Boards = { width: 0.52, length: 14, gap: 0.0045, depth: 0.8, turn: 0 };
/** A table top: boards along its length, glued so that only their grain tells them apart. */
const tableBoards: Boards = { width: 0.46, length: 40, gap: 0.002, depth: 0.22, turn: Math.PI / 2 };

/** Wood in its natural colour. */
const woodOf =
  (boards: Boards): Material =>
  (colour, seed) => {
    const { width: plankWidth, length: plankLength, gap: gapWidth } = boards;
    const noise = createNoise(seed);
    const fibre = createNoise(seed + 1);
    const slant = boards.turn === 0 ? 0.32 : 0.08;
    const angle = boards.turn + (hashAt(seed, 3, 5) - 0.5) * slant;
    const [cosine, sine] = [Math.cos(angle), Math.sin(angle)];
    const shift = hashAt(seed, 8, 1) * 40;

    return (u, v, footprint, point) => {
      const across = u * cosine - v * sine + shift + noise(u * 0.4, v * 0.4) * 0.004;
      const along = u * sine + v * cosine + shift;
      const plank = Math.floor(across / plankWidth);
      const stagger = hashAt(seed, plank, 11) * plankLength;
      const board = Math.floor((along + stagger) / plankLength);
      const q = across - plank * plankWidth;
      const p = along + stagger - board * plankLength;
      const pick = (what: number) => hashAt(seed + what, plank, board);

      // A board is cut beside the pith, so its rings are very long, wavy ellipses.
      const pith = (pick(1) - 0.5) * plankWidth * 2.2 + plankWidth / 2;
      const wander = layered(noise, p * 0.55 + pick(2) * 90, q * 1.1 + pick(3) * 90, 3) * 0.16;
      let distance = Math.hypot(q - pith + wander, 0.07 + pick(4) * 0.12 + p * (pick(5) - 0.5) * 0.09);

      // Rings flow around a knot.
      let knot = 0;
      if (pick(6) > 0.6) {
        const kp = (p - ((stagger + shift + 0.9 + pick(7) * 2.4) % plankLength)) * 0.62;
        const kq = q - plankWidth * (0.22 + pick(8) * 0.56);
        const size = 0.02 + pick(9) * 0.022;
        const reach = (kp * kp + kq * kq) / (size * size);
        distance += 0.16 * Math.exp(-reach / 7);
        knot = Math.exp(-reach * 1.1);
      }

      const fine = Math.max(0, 1 - footprint / 0.006);
      const ringPhase =
        distance * (19 + pick(10) * 15) +
        layered(fibre, q * 22, p * 1.3, 2) * 0.5 +
        noise(q * 6, p * 0.5) * 0.9;
      const ring = ringPhase - Math.floor(ringPhase);
      // Early wood is light and wide; late wood is a dark line with a soft beginning and an abrupt end.
      const late = ring ** 3 * (1 - Math.max(0, (ring - 0.9) / 0.1)) * Math.max(0, 1 - footprint / 0.016);
      const fibres = fibre(q * 210, p * 3.1) * 0.6 + fibre(q * 420 + 31, p * 7) * 0.4;
      const streak = fibre(q * 46 + 7, p * 0.8 + pick(11) * 60);
      const pore = Math.max(0, fibre(q * 300 + 50, p * 9 + 13) - 0.52) * 2 * fine;

      const tone = 1 + (pick(12) - 0.5) * 0.24 + layered(noise, p * 0.8 + 40, q * 2 + plank, 2) * 0.16;
      let value =
        tone *
        (1 -
          late * 0.34 * (0.55 + 0.45 * noise(q * 9, p * 0.7 + 5)) +
          streak * 0.13 +
          fibres * 0.08 * fine -
          pore * 0.32 -
          knot * 0.72);
      // Slightly bevelled edges; the gap itself is dark.
      const edge = Math.min(q, plankWidth - q, p * 1.2, (plankLength - p) * 1.2);
      const width = gapWidth + footprint * 0.35;
      const gap = edge < width ? 1 - edge / width : 0;
      value *= 1 - gap * boards.depth * Math.min(1, gapWidth / (footprint * 0.7) + 0.25);
      value = Math.max(0.03, value);

      // Darker wood is also redder.
      const darkness = Math.max(0, Math.min(1, 1.1 - value));
      put(
        point,
        colour,
        [value * (1 + darkness * 0.08), value * (1 - darkness * 0.05), value * (1 - darkness * 0.16)],
        (-late * 0.0012 + fibres * 0.0006 * fine - pore * 0.0014 - gap * 0.0075 * boards.depth) *
          Math.max(0, 1 - footprint / 0.02),
        0.27 - gap * 0.2 + streak * 0.03,
      );
    };
  };

/** A wooden floor. */
export const floorWood: Material = woodOf(floorBoards);

/** A wooden table top. */
export const tableWood: Material = woodOf(tableBoards);
