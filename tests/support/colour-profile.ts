/** ICC profiles of colour spaces that sharp does not bring. */

/** Red, green and blue in XYZ, seen in the light of ICC profiles (D50), and the exponent of the numbers. */
export interface ColourSpace {
  primaries: readonly [Xyz, Xyz, Xyz];
  gamma: number;
}
type Xyz = readonly [number, number, number];

/** Adobe RGB (1998), adapted to D50 by Bradford. */
export const adobeRgb: ColourSpace = {
  primaries: [
    [0.60974, 0.31111, 0.01947],
    [0.20528, 0.62567, 0.06087],
    [0.14919, 0.06322, 0.74457],
  ],
  gamma: 563 / 256,
};

/** ROMM RGB (ISO 22028-2), without the straight part near black. */
export const proPhotoRgb: ColourSpace = {
  primaries: [
    [0.79767, 0.28804, 0],
    [0.13519, 0.71187, 0],
    [0.03134, 0.00009, 0.82491],
  ],
  gamma: 1.8,
};

const d50 = [0.9642, 1, 0.8249] as const;

/** Writes the profile of a colour space (ICC.1:2001-04). */
export function iccProfile({ primaries, gamma }: ColourSpace): Buffer {
  const text = Buffer.concat([Buffer.from('desc\0\0\0\0\0\0\0\x05test\0', 'latin1'), Buffer.alloc(78)]);
  const curve = Buffer.alloc(16);
  curve.write('curv');
  curve.writeUInt32BE(1, 8);
  curve.writeUInt16BE(Math.round(gamma * 256), 12);
  const tags: [string, Buffer][] = [
    ['desc', text],
    ['cprt', Buffer.from('text\0\0\0\0none\0\0\0\0', 'latin1')],
    ['wtpt', xyz(d50)],
    ...primaries.map((primary, index): [string, Buffer] => [`${'rgb'[index]}XYZ`, xyz(primary)]),
    ...[...'rgb'].map((channel): [string, Buffer] => [`${channel}TRC`, curve]),
  ];
  const table = Buffer.alloc(4 + tags.length * 12);
  table.writeUInt32BE(tags.length, 0);
  let end = 128 + table.length;
  const bodies: Buffer[] = [];
  tags.forEach(([name, body], index) => {
    const padded = Buffer.concat([body, Buffer.alloc((4 - (body.length % 4)) % 4)]);
    table.write(name, 4 + index * 12, 'latin1');
    table.writeUInt32BE(end, 8 + index * 12);
    table.writeUInt32BE(body.length, 12 + index * 12);
    bodies.push(padded);
    end += padded.length;
  });
  const header = Buffer.alloc(128);
  header.writeUInt32BE(end, 0);
  header.writeUInt32BE(0x0240_0000, 8);
  header.write('mntrRGB XYZ ', 12, 'latin1');
  header.set([0x07, 0xd0, 0, 1, 0, 1], 24);
  header.write('acsp', 36, 'latin1');
  xyz(d50).copy(header, 68, 8);
  return Buffer.concat([header, table, ...bodies]);
}

/** A value of type XYZ, in fixed point. */
function xyz(value: Xyz): Buffer {
  const bytes = Buffer.alloc(20);
  bytes.write('XYZ ');
  for (const [index, part] of value.entries()) bytes.writeInt32BE(Math.round(part * 65_536), 8 + index * 4);
  return bytes;
}
