/** Photos as iPhones store them. */
import { Worker } from 'node:worker_threads';
import { pixelFile } from './pixel-file.ts';

/** What is known of a HEIC before it is decoded. */
export interface HeicHeader {
  /** Turned as the file itself says. */
  width: number;
  height: number;
  /** How it is still to be turned, as EXIF names it: 1, not at all, to 8. */
  orientation: number;
  bits: number;
  channels: 3 | 4;
  /** Whether its colours are stored multiplied by its opacity. */
  isPremultiplied: boolean;
  /** Whether the colours have half as many rows and columns as the lightness (4:2:0). */
  hasHalfColour: boolean;
  /** Whether it consists of tiles, which are decoded one by one. */
  isTiled: boolean;
  /** An ICC profile; null if the numbers are those of sRGB. */
  profile: Uint8Array<ArrayBuffer> | null;
}

/** Why a HEIC is refused: its data are wrong, or it is of a kind that is not known here. */
export class HeicFault extends Error {
  override name = 'HeicFault';
  readonly fault: 'damaged' | 'unknown';
  constructor(fault: 'damaged' | 'unknown') {
    super(fault);
    this.fault = fault;
  }
}

/** What a thread is asked for, and its answer. */
export interface HeicOrder {
  path: string;
  pixels: boolean;
}
export type HeicAnswer =
  | { header: HeicHeader; pixels?: Uint8Array<ArrayBuffer> }
  | { fault: HeicFault['fault'] };

/** @throws HeicFault, or the error of the file system */
export async function readHeicHeader(path: string): Promise<HeicHeader> {
  return (await ask({ path, pixels: false })).header;
}

/** Decodes a HEIC. @returns a file that sharp opens: the same pixels, with the profile and how they are to be turned @throws HeicFault */
export async function decodeHeic(path: string): Promise<Buffer> {
  const { header, pixels } = await ask({ path, pixels: true });
  if (!pixels) throw new HeicFault('damaged');
  return pixelFile({ ...header, bits: header.bits > 8 ? 16 : 8 }, pixels);
}

async function ask(order: HeicOrder): Promise<Exclude<HeicAnswer, { fault: unknown }>> {
  const thread = new Worker(new URL('./heic-thread.ts', import.meta.url), { workerData: order });
  try {
    const answer = await new Promise<HeicAnswer>((resolve, reject) => {
      thread.once('message', resolve);
      thread.once('error', reject);
      thread.once('exit', () => reject(new HeicFault('damaged')));
    });
    if ('fault' in answer) throw new HeicFault(answer.fault);
    return answer;
  } finally {
    // Its memory is free when it has ended.
    await thread.terminate();
  }
}
