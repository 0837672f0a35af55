/** Random backgrounds for the cutout benchmark, drawn as SVG. */
import sharp from 'sharp';
import { createRandom as createRandomNumbers } from '#tests/support/random.ts';

/** Returns random numbers from 0 to 1 (exclusive), the same sequence for the same seed. */
export type Random = () => number;

export const createRandom = (seed: number): Random => createRandomNumbers(seed).next;

/**
 * What a background depends on: its size in pixels, random numbers, the product's mean colour, another sample photo.
 */
export interface BackgroundOptions {
  width: number;
  height: number;
  random: Random;
  productColour: [number, number, number];
  otherPhoto: Buffer;
}

type Draw = (options: BackgroundOptions) => string;

const rgb = (red: number, green: number, blue: number) =>
  `rgb(${[red, green, blue].map((value) => Math.round(Math.min(255, Math.max(0, value)))).join(',')})`;
const rectangle = (x: number, y: number, width: number, height: number, fill: string) =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}"/>`;

/** A gradient between two similar colours, vertical or diagonal. */
function gradient({ width, height, random }: BackgroundOptions, from: string, to: string): string {
  const across = random() < 0.5 ? 0 : 1;
  return (
    `<defs><linearGradient id="gradient" x1="0" y1="0" x2="${across}" y2="1"><stop stop-color="${from}"/>` +
    `<stop offset="1" stop-color="${to}"/></linearGradient></defs>${rectangle(0, 0, width, height, 'url(#gradient)')}`
  );
}

/** A texture over the drawing: long horizontal fibres for wood, even specks for cloth and plaster. */
function grain(
  { width, height, random }: BackgroundOptions,
  across: number,
  down: number,
  opacity: number,
): string {
  const seed = Math.floor(random() * 1000);
  return (
    `<filter id="grain${seed}" x="0" y="0" width="100%" height="100%"><feTurbulence type="fractalNoise" ` +
    `baseFrequency="${across} ${down}" numOctaves="3" seed="${seed}"/><feColorMatrix values="0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 2 0 0 0 -0.6"/>` +
    `</filter><rect width="${width}" height="${height}" filter="url(#grain${seed})" opacity="${opacity}"/>`
  );
}

const white: Draw = ({ width, height, random }) => {
  const level = 240 + random() * 15;
  return rectangle(0, 0, width, height, rgb(level, level, level - random() * 4));
};

const greySweep: Draw = (options) => {
  const level = 150 + options.random() * 70;
  return gradient(options, rgb(level, level, level + 3), rgb(level + 30, level + 28, level + 26));
};

const darkSweep: Draw = (options) => {
  const level = 22 + options.random() * 30;
  return gradient(options, rgb(level, level, level + 5), rgb(level + 25, level + 22, level + 20));
};

const ownColour: Draw = (options) => {
  const [red, green, blue] = options.productColour;
  return gradient(options, rgb(red + 12, green + 12, blue + 12), rgb(red - 18, green - 18, blue - 18));
};

/** A wall with a few blurred objects in front of it, and a wooden table. */
const table: Draw = (options) => {
  const { width, height, random } = options;
  const edge = height * (0.3 + random() * 0.25);
  const wood = random() < 0.5 ? rgb(205, 160, 105) : rgb(96, 58, 40);
  const things = Array.from({ length: 4 }, () => {
    const size = height * (0.08 + random() * 0.2);
    const colour = rgb(60 + random() * 180, 60 + random() * 150, 60 + random() * 150);
    const left = random() < 0.5 ? random() * width * 0.22 : width * (0.78 + random() * 0.2);
    return `<rect x="${left - size / 2}" y="${edge - size * 0.8}" width="${size}" height="${size}" rx="${size * random() * 0.5}" fill="${colour}"/>`;
  });
  return (
    rectangle(0, 0, width, height, rgb(190 + random() * 40, 185 + random() * 40, 170 + random() * 50)) +
    rectangle(0, edge, width, height - edge, wood) +
    `<filter id="soft"><feGaussianBlur stdDeviation="${width / 260}"/></filter><g filter="url(#soft)">${things.join('')}</g>` +
    grain(options, 0.004, 0.07, 0.25)
  );
};

/** Wall tiles above a stone counter. */
const tiles: Draw = (options) => {
  const { width, height, random } = options;
  const size = width * (0.07 + random() * 0.08);
  const edge = height * 0.62;
  const counter = 70 + random() * 130;
  return (
    `<defs><pattern id="tiles" width="${size * 2}" height="${size}" patternUnits="userSpaceOnUse">${rectangle(0, 0, size * 2, size, '#efedea')}` +
    `${rectangle(0, 0, size * 2, size * 0.05, '#c4c0ba')}${rectangle(0, 0, size * 0.05, size, '#c4c0ba')}</pattern></defs>` +
    rectangle(0, 0, width, edge, 'url(#tiles)') +
    rectangle(0, edge, width, height - edge, rgb(counter, counter, counter + 8)) +
    grain(options, 0.03, 0.03, 0.2)
  );
};

/** A chequered cloth that fills the picture. */
const cloth: Draw = (options) => {
  const { width, height, random } = options;
  const size = width * (0.03 + random() * 0.05);
  const [red, green, blue] = [random() * 220, random() * 120, random() * 160];
  const dark = `rgba(${red | 0},${green | 0},${blue | 0},0.55)`;
  return (
    `<defs><pattern id="cloth" width="${size * 2}" height="${size * 2}" patternUnits="userSpaceOnUse" patternTransform="rotate(${random() * 45})">` +
    `${rectangle(0, 0, size * 2, size * 2, '#f3efe8')}${rectangle(0, 0, size, size * 2, dark)}${rectangle(0, 0, size * 2, size, dark)}</pattern></defs>` +
    rectangle(0, 0, width, height, 'url(#cloth)') +
    grain(options, 0.4, 0.4, 0.15)
  );
};

/** Leaves and blossoms like on wallpaper, which fill the picture. */
const wallpaper: Draw = (options) => {
  const { width, height, random } = options;
  const blots = Array.from({ length: 90 }, () => {
    const colour = rgb(random() * 255, 60 + random() * 150, random() * 220);
    const size = width * (0.012 + random() * 0.04);
    return `<ellipse cx="${random() * width}" cy="${random() * height}" rx="${size}" ry="${size * (0.3 + random())}" fill="${colour}" transform="rotate(${random() * 12})"/>`;
  });
  return rectangle(0, 0, width, height, rgb(225, 215, 190)) + blots.join('');
};

/** Floorboards seen from above. */
const boards: Draw = (options) => {
  const { width, height, random } = options;
  const rows = 5 + Math.floor(random() * 4);
  const planks = Array.from({ length: rows }, (_, row) => {
    const level = 0.85 + random() * 0.3;
    const y = (row * height) / rows;
    return (
      rectangle(0, y, width, height / rows, rgb(176 * level, 124 * level, 78 * level)) +
      rectangle(0, y, width, 3, rgb(70, 45, 28))
    );
  });
  return planks.join('') + grain(options, 0.003, 0.09, 0.35);
};

/** Linen or carpet in one colour. */
const linen: Draw = (options) => {
  const { width, height, random } = options;
  const colour = rgb(120 + random() * 110, 115 + random() * 100, 105 + random() * 100);
  return rectangle(0, 0, width, height, colour) + grain(options, 0.25, 0.5, 0.4);
};

const drawn: Record<string, Draw> = {
  white,
  greySweep,
  darkSweep,
  ownColour,
  table,
  tiles,
  cloth,
  wallpaper,
  boards,
  linen,
};

/** The names of the backgrounds; `photo` is another sample photo, blurred. */
export const backgroundNames: readonly string[] = [...Object.keys(drawn), 'photo'];

/** Draws a background as opaque RGB rows. */
export async function drawBackground(name: string, options: BackgroundOptions): Promise<Buffer> {
  const { width, height } = options;
  const draw = drawn[name];
  const image =
    draw === undefined
      ? sharp(options.otherPhoto)
          .resize(width, height, { fit: 'cover' })
          .blur(width / 90)
      : sharp(
          Buffer.from(
            `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${draw(options)}</svg>`,
          ),
        );
  return image.flatten({ background: '#fff' }).toColourspace('srgb').removeAlpha().raw().toBuffer();
}
