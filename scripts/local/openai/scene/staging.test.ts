/** How products are staged: neutral light, a table with an edge, clothes seen from above, furniture on the floor. */
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadCutter } from '../../../../shared/cutout/cutout.ts';
import type { Pixels } from '../../../../shared/cutout/pixels.ts';
import { isFurnitureInRoom, standsOnLegs } from './furniture.ts';
import { liesFlat, measureLying } from './lies-flat.ts';
import { seedOf } from './noise.ts';
import { stageProducts } from './stage-products.ts';
import { cutSubject, type Subject } from './subject.ts';
import { takeOf } from './take.ts';
import { jobOf, type Picture, pixelAt, quiet } from './test-pictures.ts';

const walnut =
  'Product on Wooden Table: a walnut table by a window, soft morning light, a calm warm room behind';

type Rgb = readonly [number, number, number];
/** The colour at a place of a drawing of 400 × 400; undefined where there is nothing. */
type Paint = (x: number, y: number) => Rgb | undefined;

function draw(paint: Paint): Promise<Buffer> {
  const data = Buffer.alloc(400 * 400 * 4);
  for (let index = 0; index < 400 * 400; index += 1) {
    const colour = paint(index % 400, Math.floor(index / 400));
    if (colour !== undefined) data.set([...colour, 255], index * 4);
  }
  return sharp(data, { raw: { width: 400, height: 400, channels: 4 } })
    .png()
    .toBuffer();
}

const within = (value: number, from: number, to: number) => value >= from && value < to;
const rectangle =
  (left: number, top: number, right: number, bottom: number, colour: Rgb): Paint =>
  (x, y) =>
    within(x, left, right) && within(y, top, bottom) ? colour : undefined;
const boxOf = (colour: Rgb) => rectangle(100, 60, 300, 340, colour);
/** The first of several that covers a place. */
const first =
  (...paints: Paint[]): Paint =>
  (x, y) =>
    paints.map((paint) => paint(x, y)).find((colour) => colour !== undefined);

/** A drawn product without a background, which is staged as it is. */
const subjectOf = async (paint: Paint): Promise<Subject> => cutSubject(await draw(paint));

async function stage(subject: Subject, prompt: string): Promise<Picture> {
  const job = jobOf({ prompt, width: 512, height: 512 });
  const drawing = await stageProducts([subject], job, takeOf(seedOf(prompt), job), quiet);
  return { ...drawing, data: Buffer.from(drawing.data) };
}

/** The mean colour of a row of a picture. */
function rowColour(of: Picture, y: number, from = 0, to = of.width): [number, number, number] {
  const sum: [number, number, number] = [0, 0, 0];
  for (let x = from; x < to; x += 1)
    for (let channel = 0; channel < 3; channel += 1) sum[channel]! += pixelAt(of, x, y)[channel]!;
  return sum.map((value) => value / (to - from)) as [number, number, number];
}

/** CIE L*a*b* of an sRGB colour, D65. */
function labOf(colour: readonly number[]): [number, number, number] {
  const [red, green, blue] = colour.map((value) => {
    const unit = value / 255;
    return unit <= 0.04045 ? unit / 12.92 : ((unit + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  const curve = (value: number) => (value > 0.008856 ? Math.cbrt(value) : 7.787 * value + 16 / 116);
  const x = curve((0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505);
  const y = curve(0.2126 * red + 0.7152 * green + 0.0722 * blue);
  const z = curve((0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

const difference = (first: readonly number[], second: readonly number[]) =>
  Math.hypot(...labOf(first).map((value, index) => value - labOf(second)[index]!));

beforeAll(() => loadCutter());

describe('light', () => {
  test.each([
    ['white', [235, 235, 235]],
    ['chrome', [180, 180, 180]],
  ] as const)('of a warm room leaves %s neutral', async (name, colour) => {
    const shown = await stage(await subjectOf(boxOf(colour)), walnut);
    const middle = rowColour(shown, 280, 226, 286);
    expect(Math.hypot(labOf(middle)[1], labOf(middle)[2])).toBeLessThan(4);
    // A darker product may become brighter, as in an underexposed photo.
    if (name === 'white') expect(difference(middle, colour)).toBeLessThan(6);
  });

  test('still makes the surface of a warm room warm', async () => {
    const box = await subjectOf(boxOf([235, 235, 235]));
    const [red, , blue] = rowColour(await stage(box, walnut), 440, 0, 60);
    expect(red).toBeGreaterThan(blue * 1.4);
  });
});

describe('a table', () => {
  /** The largest step of brightness between rows near the lower end of the picture. */
  const lowerStep = async (prompt: string) => {
    const box = await subjectOf(boxOf([128, 128, 128]));
    const shown = await stage(box, prompt);
    const brightness = (y: number) => rowColour(shown, y).reduce((sum, value) => sum + value, 0) / 3;
    const steps = Array.from({ length: 40 }, (_, index) => brightness(466 + index) - brightness(471 + index));
    return Math.max(...steps) / brightness(460);
  };

  test.each([walnut, 'on a marble countertop', 'on an oak desk in an office'])(
    'ends with an edge before the picture does: %s',
    async (prompt) => expect(await lowerStep(prompt)).toBeGreaterThan(0.2),
  );

  test.each(['on an oak floor', 'on sand at the beach', 'on grey paper'])('is not seen: %s', async (prompt) =>
    expect(await lowerStep(prompt)).toBeLessThan(0.2),
  );
});

const shirt: Paint = (x, y) => {
  const across = Math.abs(x - 200 + (y - 200) * 0.06);
  const isBody = across < 66 && within(y, 80, 320);
  const isSleeve = across < 130 && within(y, 90 + (across - 66) * 0.8, 160 + (across - 66) * 0.4);
  return isBody || isSleeve ? [232, 230, 224] : undefined;
};
/** Cloth that is lit from one side. */
const cloth: Paint = (x, y) => [190 - (x + y) * 0.04, 90 - (x + y) * 0.02, 130 - (x + y) * 0.03];
const floorBelowWall: Paint = (_x, y) => (y < 230 ? [216, 212, 200] : [92, 74, 58]);
const bottle: Paint = (x, y) =>
  Math.abs(x - 200) < (y < 140 ? 20 : 60) && within(y, 60, 340) ? [47, 109, 74] : undefined;

/** What is measured of a product in front of a background. */
const measured = async (product: Paint, background: Paint) =>
  measureLying(await draw(first(product, background)), await subjectOf(product));

describe('a product photographed from above', () => {
  test('is recognised by the surface around it and its outline', async () => {
    const lying = await measured(shirt, cloth);
    expect(liesFlat(lying)).toBe(true);
    expect(liesFlat(await measured(shirt, floorBelowWall))).toBe(false);
    expect(liesFlat(await measured(bottle, floorBelowWall))).toBe(false);
    expect(liesFlat({ ...lying, brightness: 254 })).toBe(false);
  });

  test('needs no notches on an even surface without a shadow, as a skirt', async () => {
    const skirt: Paint = (x, y) =>
      within(y, 110, 300) && Math.abs(x - 200) < 82 + (y - 110) * 0.14 && x - 90 > (y - 110) * 0.12
        ? [198, 44, 38]
        : undefined;
    const lying = await measured(skirt, cloth);
    expect(lying.solidity).toBeGreaterThan(0.955);
    expect(liesFlat(lying)).toBe(true);
    expect(liesFlat(await measured(skirt, floorBelowWall))).toBe(false);
    expect(liesFlat({ ...lying, contact: 0.08 })).toBe(false);
  });

  test.each([walnut, 'Outdoor Natural Lighting: on a stone ledge in a garden'])(
    'lies on the surface, which fills the picture without a horizon: %s',
    async (prompt) => {
      const subject = await subjectOf(shirt);
      const steps = async (isLying: boolean) => {
        const shown = await stage({ ...subject, isLying }, prompt);
        const rows = Array.from({ length: 24 }, (_, index) => rowColour(shown, 4 + index * 21, 0, 40));
        return Math.max(...rows.slice(1).map((colour, index) => difference(colour, rows[index]!)));
      };
      const [lying, standing] = [await steps(true), await steps(false)];
      expect(lying).toBeLessThan(standing * 0.6);
    },
  );
});

describe('furniture', () => {
  const pixelsOf = async (paint: Paint): Promise<Pixels> => (await subjectOf(paint)).pixels;
  const chair = first(
    rectangle(110, 40, 290, 260, [204, 68, 0]),
    rectangle(114, 260, 126, 370, [68, 34, 0]),
    rectangle(274, 260, 286, 360, [68, 34, 0]),
  );

  test('stands on legs, and only in rooms', async () => {
    const [onLegs, box] = [await pixelsOf(chair), await pixelsOf(boxOf([0, 0, 0]))];
    expect([standsOnLegs(onLegs), standsOnLegs(box)]).toEqual([true, false]);
    const scenes = ['in a bright living room', 'on a beach', 'a sofa in a living room'];
    expect(scenes.map((scene) => isFurnitureInRoom(scene, onLegs))).toEqual([true, false, true]);
    expect(scenes.map((scene) => isFurnitureInRoom(scene, box))).toEqual([false, false, true]);
  });

  test('stands on the floor: what would be a table has no edge', async () => {
    const shown = await stage(await subjectOf(chair), walnut);
    const brightness = (y: number) => rowColour(shown, y).reduce((sum, value) => sum + value, 0);
    expect(brightness(505)).toBeGreaterThan(brightness(470) * 0.75);
  });
});
