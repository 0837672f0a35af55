/** Cuts out the photos that its parent sends, in a separate process so that its memory can be measured. */
import { cutProduct, loadCutter, UncuttableError } from '#shared/cutout/cutout.ts';
import type { Box } from '#shared/cutout/pixels.ts';

/** The result for a photo: the product's alpha and position, or why it could not be cut out; time and memory used. */
export interface CutReport {
  alpha: Uint8Array;
  box: Box;
  failure: string | undefined;
  ms: number;
  peakRssMegabytes: number;
}

await loadCutter();
process.on('message', async (photo: Uint8Array) => {
  const start = performance.now();
  const report: CutReport = {
    alpha: new Uint8Array(),
    box: { left: 0, top: 0, width: 0, height: 0 },
    failure: undefined,
    ms: 0,
    peakRssMegabytes: 0,
  };
  try {
    const { pixels, box } = await cutProduct(photo);
    report.box = box;
    report.alpha = new Uint8Array(box.width * box.height);
    for (let index = 0; index < report.alpha.length; index += 1) {
      report.alpha[index] = pixels.data[index * 4 + 3]!;
    }
  } catch (error) {
    if (!(error instanceof UncuttableError)) throw error;
    report.failure = error.reason;
  }
  report.ms = performance.now() - start;
  report.peakRssMegabytes = process.resourceUsage().maxRSS / 1024;
  process.send?.(report);
});
