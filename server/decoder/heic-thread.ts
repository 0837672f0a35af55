/**
 * A thread that reads one HEIC. The decoder is WebAssembly, which answers only when it is done and never gives memory back:
 * the thread can be ended at any time, and its memory goes with it.
 */
import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { type HeicAnswer, HeicFault, type HeicOrder } from './heic.ts';
import { openHeif } from './libheif.ts';

const { path, pixels } = workerData as HeicOrder;

parentPort!.postMessage(...answer());

function answer(): [HeicAnswer, ArrayBuffer[]] {
  try {
    const picture = openHeif(readFileSync(path));
    if (!pixels) return [{ header: picture.header }, []];
    const decoded = picture.decode();
    return [{ header: picture.header, pixels: decoded }, [decoded.buffer]];
  } catch (error) {
    if (error instanceof HeicFault) return [{ fault: error.fault }, []];
    throw error;
  }
}
