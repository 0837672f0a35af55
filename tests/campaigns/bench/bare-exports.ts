/** A process that makes files as exports do, with the image operations alone: sharp, and the model where the product is needed. */
import { findSaliency, loadSaliency } from '#shared/cutout/saliency.ts';
import { serveJobs } from '#shared/platform/serve-jobs.ts';
import { sharp } from '#shared/platform/sharp.ts';

/** A file to make. */
export interface BareExport {
  /** Path of the image. */
  file: string;
  width: number;
  height: number;
  findsProduct: boolean;
}

export interface BareExportJobs {
  /** Makes files one after the other. */
  make: { given: { files: readonly BareExport[] }; outcome: { processorMs: number } };
}

serveJobs<BareExportJobs>(async ({ given }) => {
  const before = process.cpuUsage();
  for (const each of given.files) await make(each);
  const { user, system } = process.cpuUsage(before);
  return { processorMs: (user + system) / 1_000 };
});

async function make({ file, width, height, findsProduct }: BareExport): Promise<void> {
  const { data, info } = await sharp(file).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  if (findsProduct) {
    await loadSaliency({ keepsMemory: true });
    await findSaliency({ data, width: info.width, height: info.height });
  }
  await sharp(data, { raw: { width: info.width, height: info.height, channels: 3 } })
    .resize(width, height, { fit: 'fill' })
    .withIccProfile('srgb')
    .jpeg({ quality: 93, chromaSubsampling: '4:4:4' })
    .toBuffer();
}
