/** Cuts and checks the photos that its parent sends. */
import { checkProduct } from '#shared/cutout/check-product.ts';
import { cutProduct, loadCutter, UncuttableError } from '#shared/cutout/cutout.ts';
import { modelOfArguments } from '#shared/cutout/model-arguments.ts';

/** What became of a photo. */
export interface CheckReport {
  /** Of a cutout that is made. */
  confidence: number | undefined;
  /** Why the cutout is refused; undefined if it is made. */
  refused: string | undefined;
  warnings: string[];
  /** Processor time of the check alone, in ms. */
  cpuMs: number;
}

await loadCutter(modelOfArguments(process.argv));
process.on('message', async (photo: Uint8Array) => {
  const before = process.cpuUsage();
  const warnings = (await checkProduct(photo))?.warnings ?? ['not checked'];
  const { user, system } = process.cpuUsage(before);
  const report: CheckReport = { ...(await cut(photo)), warnings, cpuMs: (user + system) / 1_000 };
  process.send?.(report);
});

async function cut(photo: Uint8Array): Promise<Pick<CheckReport, 'confidence' | 'refused'>> {
  try {
    return { confidence: (await cutProduct(photo)).confidence, refused: undefined };
  } catch (error) {
    if (error instanceof UncuttableError) return { confidence: undefined, refused: error.reason };
    throw error;
  }
}
