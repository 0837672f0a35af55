/** Tests the models that find hands on a drawing; real photographs are measured by the campaign cutout-check. */
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { findPeople, peopleSide, seesPalm } from './hand-models.ts';
import { decodePhoto, type Pixels } from './pixels.ts';

/** A carton in front of a wall, with or without a hand around it. */
async function draw(isHeld: boolean): Promise<Pixels> {
  const shades = (name: string, [x, y]: [number, number], middle: number, ...colours: string[]) =>
    `<linearGradient id="${name}" x1="0" y1="0" x2="${x}" y2="${y}">${colours.map((colour, index) => `<stop offset="${[0, middle, 1][index]}" stop-color="${colour}"/>`).join('')}</linearGradient>`;
  const defs = [
    shades('arm', [0.45, 1], 0.45, '#f0c3a4', '#dba183', '#9a6049'),
    shades('finger', [0, 1], 0.55, '#f2c8ab', '#dda586', '#a86a52'),
    shades('carton', [1, 0], 0.3, '#16325a', '#2a5796', '#1b3b6b'),
    shades('wall', [1, 1], 1, '#d4d2cc', '#a9a8a4'),
  ].join('');
  const arm =
    '<path d="M-20 640 L-20 500 C80 450 150 420 205 370 C225 345 235 330 262 318 L330 330 L330 480 C300 520 240 540 190 640z" fill="url(#arm)"/>';
  const carton =
    '<rect x="270" y="120" width="190" height="400" rx="6" fill="url(#carton)"/><rect x="295" y="180" width="140" height="120" fill="#f2e6b4"/>';
  const fingers = [
    [405, 330, 75, 38],
    [395, 372, 88, 40],
    [400, 416, 80, 38],
    [412, 458, 62, 34],
  ].map(
    ([x, y, width, height]) =>
      `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${height! / 2}"/>`,
  );
  const hand = `<g fill="url(#finger)"><path d="M262 318 C240 280 250 215 272 190 C284 176 306 184 302 206 C296 240 296 280 305 330 C300 380 262 390 240 380z"/><path d="M276 196 q12 -12 20 2 l-3 20 q-12 -4 -18 0z" fill="#f6d8c8"/>${fingers.join('')}</g>`;
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="640">${defs}<rect width="640" height="640" fill="url(#wall)"/>${isHeld ? arm : ''}${carton}${isHeld ? hand : ''}</svg>`;
  return decodePhoto(await sharp(Buffer.from(drawing)).blur(0.8).png().toBuffer(), 640);
}

test('a palm is seen where a hand holds a carton, and not on the carton alone', async () => {
  expect(await seesPalm(await draw(true), 0.7)).toBe(true);
  expect(await seesPalm(await draw(false), 0.7)).toBe(false);
});

test('fingers belong to a person, the wall does not, and each is where it is in the photo', async () => {
  const { data } = await findPeople(await draw(true));
  const at = (x: number, y: number) =>
    data[Math.round((y / 640) * peopleSide) * peopleSide + Math.round((x / 640) * peopleSide)]!;
  expect(at(430, 392)).toBeGreaterThan(0.6);
  expect(at(430, 435)).toBeGreaterThan(0.6);
  for (const [x, y] of [
    [30, 30],
    [610, 392],
    [560, 120],
    [560, 610],
  ] as const)
    expect(at(x, y)).toBeLessThan(0.2);
});
