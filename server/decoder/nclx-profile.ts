/** Colours of a picture as video says them, by numbers of ITU-T H.273, as an ICC profile. */

/** Which colours the primaries are, and how light is stored. */
export interface Nclx {
  primaries: number;
  transfer: number;
}

type Pair = readonly [x: number, y: number];
type Triple = readonly [number, number, number];

const d65: Pair = [0.3127, 0.329];
/** Red, green, blue and white of the primaries that photos have. Those of sRGB (1), and of televisions that are almost the same, need none. */
const known: Readonly<Record<number, readonly [Pair, Pair, Pair, Pair]>> = {
  // BT.2020.
  9: [[0.708, 0.292], [0.17, 0.797], [0.131, 0.046], d65],
  // Display P3.
  12: [[0.68, 0.32], [0.265, 0.69], [0.15, 0.06], d65],
};
const likeSrgb = [1, 2, 5, 6, 7];
/** Curves that are shown like that of sRGB: BT.709, unspecified, BT.601, sRGB, BT.2020. */
const srgbCurves = [1, 2, 6, 13, 14, 15];

/**
 * The profile of colours; null if they are those of sRGB.
 * @returns `unknown` if they cannot be shown as a photo's: those of high dynamic range, and of rare kinds
 */
export function profileOfNclx({ primaries, transfer }: Nclx): Uint8Array<ArrayBuffer> | null | 'unknown' {
  if (!srgbCurves.includes(transfer)) return 'unknown';
  if (likeSrgb.includes(primaries)) return null;
  const colours = known[primaries];
  return colours ? writeProfile(colours) : 'unknown';
}

const xyzOf = ([x, y]: Pair): Triple => [x / y, 1, (1 - x - y) / y];
/** The white of ICC profiles. */
const d50: Triple = [0.9642, 1, 0.8249];
/** Bradford: from XYZ to what the eye's receptors get, and back. */
const toCones = [
  [0.8951, 0.2664, -0.1614],
  [-0.7502, 1.7135, 0.0367],
  [0.0389, -0.0685, 1.0296],
] as const;
const fromCones = [
  [0.9869929, -0.1470543, 0.1599627],
  [0.4323053, 0.5183603, 0.0492912],
  [-0.0085287, 0.0400428, 0.9684867],
] as const;

const times = (matrix: readonly Triple[], vector: Triple) =>
  matrix.map((row) =>
    row.reduce((sum, factor, index) => sum + factor * vector[index]!, 0),
  ) as unknown as Triple;

/** How much of each of three vectors makes up another one (Cramer's rule). */
function sharesOf([a, b, c]: readonly [Triple, Triple, Triple], whole: Triple): Triple {
  const volume = (u: Triple, v: Triple, w: Triple) =>
    u[0] * (v[1] * w[2] - v[2] * w[1]) -
    v[0] * (u[1] * w[2] - u[2] * w[1]) +
    w[0] * (u[1] * v[2] - u[2] * v[1]);
  const all = volume(a, b, c);
  return [volume(whole, b, c) / all, volume(a, whole, c) / all, volume(a, b, whole) / all];
}

/** Writes an ICC profile with the curve of sRGB (ICC.1:2022). */
function writeProfile([red, green, blue, white]: readonly [Pair, Pair, Pair, Pair]): Uint8Array<ArrayBuffer> {
  const vectors = [xyzOf(red), xyzOf(green), xyzOf(blue)] as const;
  const shares = sharesOf(vectors, xyzOf(white));
  const before = times(toCones, xyzOf(white));
  const after = times(toCones, d50);
  const adapted = vectors.map((vector, index) => {
    const cones = times(toCones, vector.map((part) => part * shares[index]!) as unknown as Triple);
    return times(
      fromCones,
      cones.map((part, cone) => (part * after[cone]!) / before[cone]!) as unknown as Triple,
    );
  });
  const text = (value: string) => {
    const words = Buffer.from(value, 'utf16le').swap16();
    const head = Buffer.alloc(28);
    head.write('mluc');
    for (const [at, part] of [
      [8, 1],
      [12, 12],
      [20, words.length],
      [24, 28],
    ] as const)
      head.writeUInt32BE(part, at);
    head.write('enUS', 16);
    return Buffer.concat([head, words]);
  };
  const fixed = (type: string, values: readonly number[], before = 8) => {
    const body = Buffer.alloc(before + values.length * 4);
    body.write(type);
    for (const [index, value] of values.entries()) {
      body.writeInt32BE(Math.round(value * 65_536), before + index * 4);
    }
    return body;
  };
  const curve = fixed('para', [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045], 12);
  curve.writeUInt16BE(3, 8);
  const tags: [name: string, body: Buffer][] = [
    ['desc', text('nclx')],
    ['cprt', text('none')],
    ['wtpt', fixed('XYZ ', d50)],
    ...adapted.map((colour, index): [string, Buffer] => [`${'rgb'[index]}XYZ`, fixed('XYZ ', colour)]),
    ...[...'rgb'].map((channel): [string, Buffer] => [`${channel}TRC`, curve]),
  ];
  const table = Buffer.alloc(4 + tags.length * 12);
  table.writeUInt32BE(tags.length, 0);
  const bodies = tags.map(([, body]) => Buffer.concat([body, Buffer.alloc((4 - (body.length % 4)) % 4)]));
  let end = 128 + table.length;
  for (const [index, [name, body]] of tags.entries()) {
    table.write(name, 4 + index * 12, 'latin1');
    table.writeUInt32BE(end, 8 + index * 12);
    table.writeUInt32BE(body.length, 12 + index * 12);
    end += bodies[index]!.length;
  }
  const header = Buffer.alloc(128);
  header.writeUInt32BE(end, 0);
  header.writeUInt32BE(0x0440_0000, 8);
  header.write('mntrRGB XYZ ', 12, 'latin1');
  header.set([0x07, 0xe8, 0, 1, 0, 1], 24);
  header.write('acsp', 36, 'latin1');
  fixed('XYZ ', d50).copy(header, 68, 8);
  return new Uint8Array(Buffer.concat([header, table, ...bodies]));
}
