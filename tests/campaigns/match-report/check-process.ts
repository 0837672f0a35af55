/**
 * Compares the images that its parent sends with their photos, in a process of its own: its time and memory are measured. The
 * product's sharp, which it uses, reads no SVG; its parent draws with SVG.
 */
import { judge, type MatchLevel } from '#worker/product-match/judge.ts';
import { type Measurement, measure } from '#worker/product-match/measure.ts';
import { findProduct, type ProductPhoto } from '#worker/product-match/product-photo.ts';
import { sureMask } from './sure-mask.ts';

/** What is sent to the process. */
export interface CheckOrder {
  photo: { name: string; png: Uint8Array };
  image: Uint8Array;
}

/** Asks for the mask of a photo. */
export interface MaskOrder {
  maskOf: Uint8Array;
}

/** What it answers. */
export interface CheckReport {
  /** Null if no product was found in the photo. */
  level: MatchLevel | null;
  measured: Measurement | null;
  /** Whether the product had to be found in the photo first. */
  first: boolean;
  /** Processor time of all threads of the process, in ms. */
  cpuMs: number;
  /** Resident memory after the check, in megabytes. */
  memoryMb: number;
}

/** The photo of the image before, and its product. */
let known: { name: string; product: ProductPhoto | null } | undefined;

/** Runs as worker/product-match/match-product.ts does, but also gives what was measured. */
async function check({ photo, image }: CheckOrder): Promise<CheckReport> {
  const began = process.cpuUsage();
  const first = known?.name !== photo.name;
  if (known?.name !== photo.name) {
    known = { name: photo.name, product: await findProduct(Buffer.from(photo.png)) };
  }
  const { product } = known;
  const measured = product === null ? null : await measure(product, Buffer.from(image));
  const { user, system } = process.cpuUsage(began);
  return {
    level: measured === null ? null : judge(measured),
    measured,
    first,
    cpuMs: (user + system) / 1_000,
    memoryMb: process.memoryUsage.rss() / 1e6,
  };
}

process.on('message', async (order: CheckOrder | MaskOrder) => {
  process.send!('maskOf' in order ? await sureMask(Buffer.from(order.maskOf)) : await check(order));
});
