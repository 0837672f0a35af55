/** Pictures for tests of the renderer. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import type { RenderJob } from '../renderer.ts';
import { seedOf } from './noise.ts';
import { stageProducts } from './stage-products.ts';
import { cutSubject, type Subject } from './subject.ts';
import { takeOf } from './take.ts';

const samples = join(import.meta.dirname, '../../photos');
/** The bytes of a sample photo. */
export const photo = (name: string): Promise<Buffer> => readFile(join(samples, `${name}.jpg`));

/** Parts of {@link drawnPhoto}: an arm that reaches from the frame, a carton before it, and plain boxes. */
export const drawnArm = '<path d="M0 430 L225 330 L225 400 L130 640 L0 640z" fill="#e0a184"/>';
export const drawnCarton =
  '<rect x="220" y="140" width="200" height="330" rx="8" fill="#20457c"/><rect x="250" y="200" width="140" height="120" fill="#f4e7b0"/>';
export const drawnBox = (left: number, top: number, colour: string) =>
  `<rect x="${left}" y="${top}" width="130" height="250" rx="16" fill="${colour}"/>`;

/** A photo of 640 × 640 pixels in front of a grey wall. */
export function drawnPhoto(content: string): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="640"><rect width="100%" height="100%" fill="#c9cdd2"/>${content}</svg>`;
  return sharp(Buffer.from(svg)).jpeg().toBuffer();
}

/** A decoded picture. */
export interface Picture {
  width: number;
  height: number;
  channels: number;
  data: Buffer;
}

/** A job, by default of a small picture. */
export function jobOf(change: Partial<RenderJob>): RenderJob {
  return {
    prompt: 'on an oak table by a window',
    width: 640,
    height: 640,
    images: [],
    outputFormat: 'png',
    outputCompression: 100,
    background: 'opaque',
    variant: 0,
    partialImages: 0,
    ...change,
  };
}

/** Callbacks that do nothing. */
export const quiet = { onPartial() {}, isCancelled: () => false };
const cutouts = new Map<string, Promise<Subject>>();

/** Cuts out each photo once, because most cases are about the staging. */
export async function render(names: string[], change: Partial<RenderJob>): Promise<Buffer> {
  for (const name of names) if (!cutouts.has(name)) cutouts.set(name, photo(name).then(cutSubject));
  const cut = await Promise.all(names.map((name) => cutouts.get(name)!));
  const job = jobOf(change);
  const { data, ...raw } = await stageProducts(cut, job, takeOf(seedOf(job.prompt), job), quiet);
  return sharp(data, { raw }).png().toBuffer();
}

/** Decodes a picture. */
export async function picture(bytes: Uint8Array): Promise<Picture> {
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, channels: info.channels, data };
}

/** The channels of a pixel. */
export const pixelAt = ({ width, channels, data }: Picture, x: number, y: number): number[] => [
  ...data.subarray((y * width + x) * channels, (y * width + x) * channels + channels),
];
