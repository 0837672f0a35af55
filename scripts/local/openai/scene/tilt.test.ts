/** Estimates the camera's pitch from outlines whose pitch is known. */
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import type { Pixels } from '../../../../shared/cutout/pixels.ts';
import { measureTilt } from './tilt.ts';

const side = 400;

/** Everything for which `covers` is true, cropped at top and bottom. */
function outline(covers: (x: number, y: number) => boolean): Pixels {
  const places = Array.from({ length: side * side }, (_, index) => [index % side, Math.floor(index / side)]);
  const rows = [...new Set(places.filter(([x, y]) => covers(x!, y!)).map(([, y]) => y!))];
  const first = Math.min(side - 1, ...rows);
  const height = Math.max(first, ...rows) - first + 1;
  const data = new Uint8ClampedArray(side * height * 4);
  for (const [x, y] of places) if (covers(x!, y!)) data[((y! - first) * side + x!) * 4 + 3] = 255;
  return { width: side, height, data };
}

/** A cylinder seen at a pitch. */
function cylinder(sine: number): Pixels {
  const radius = 100;
  const tall = 180 * Math.sqrt(1 - sine * sine);
  const foot = side - 20 - radius * sine;
  return outline((x, y) => {
    const across = x - side / 2;
    if (Math.abs(across) > radius) return false;
    const bulge = Math.sqrt(radius ** 2 - across ** 2) * sine;
    return y <= foot + bulge && y >= foot - tall - bulge;
  });
}

/** A flat square sheet, turned by an angle, seen at a pitch. */
function sheet(sine: number, turn: number): Pixels {
  return outline((x, y) => {
    const across = x - side / 2;
    const deep = (y - side / 2) / sine;
    const u = across * Math.cos(turn) + deep * Math.sin(turn);
    const v = deep * Math.cos(turn) - across * Math.sin(turn);
    return Math.abs(u) < 110 && Math.abs(v) < 110;
  });
}

describe('the pitch is estimated', () => {
  test.each([0.2, 0.3, 0.4, 0.5])('of a cylinder at a sine of %f', (sine) => {
    const { fromAbove, flatness } = measureTilt(cylinder(sine));
    expect(Math.abs(fromAbove - sine)).toBeLessThan(0.1);
    expect(flatness).toBeLessThan(0.5);
  });

  test.each([
    [0.3, 0.6],
    [0.45, 0.8],
    [0.6, 0.7],
    [0.6, 1],
  ])('of a sheet at a sine of %f turned by %f', (sine, turn) => {
    const { fromAbove, flatness } = measureTilt(sheet(sine, turn));
    expect(Math.abs(fromAbove - sine)).toBeLessThan(0.13);
    expect(flatness).toBeGreaterThan(0.7);
  });

  test('a box seen from the front gives the default tilt', () => {
    const front = outline((x, y) => x > 100 && x < 300 && y > 80 && y < 380);
    expect(measureTilt(front)).toEqual({ fromAbove: 0.24, flatness: 0.1 });
  });

  test('an empty picture is not an error', () => {
    expect(measureTilt(outline(() => false)).fromAbove).toBe(0.24);
  });
});

test('a notebook with its ribbon lies flat; a bottle and a vase stand', async () => {
  const of = async (name: string) => {
    const file = join(import.meta.dirname, '../../photos/masks', `${name}.png`);
    const { data, info } = await sharp(file)
      .trim({ threshold: 40 })
      .extractChannel(0)
      .raw()
      .toBuffer({ resolveWithObject: true });
    const pixels = new Uint8ClampedArray(data.length * 4);
    for (let index = 0; index < data.length; index += 1) pixels[index * 4 + 3] = data[index]!;
    return measureTilt({ width: info.width, height: info.height, data: pixels });
  };
  const [notebook, bottle, vase] = [await of('notebook-1'), await of('pump-bottle-1'), await of('vase-1')];
  expect(notebook.fromAbove).toBeGreaterThan(0.6);
  expect(notebook.flatness).toBeGreaterThan(0.8);
  for (const { fromAbove, flatness } of [bottle, vase]) {
    expect(fromAbove).toBeLessThan(0.5);
    expect(flatness).toBeLessThan(0.3);
  }
});
