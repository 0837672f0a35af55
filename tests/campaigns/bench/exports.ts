/** Exports beside the image operations that they need: processor time of one file, and a ZIP beside two processes. */
import { join } from 'node:path';
import { type ExportPresetId, exportChecksSchema, paths } from '#contract';
import { startJobProcess } from '#shared/platform/job-process.ts';
import { storageKeys } from '#shared/storage/storage.ts';
import { type CampaignStack, onStack } from '#tests/campaigns/support/stack.ts';
import { requestAs } from '#tests/support/api-client.ts';
import { createBenchSeller } from '#tests/support/connected-seller.ts';
import { cpuMs, proportionalBytes } from '#tests/support/process-usage.ts';
import { ms } from '#tests/support/statistics.ts';
import { drawPicture } from '#tests/support/white-pictures.ts';
import type { BareExport, BareExportJobs } from './bare-exports.ts';

/** Presets of the ZIP: the first one wants a white background, and so that the product is found. */
const presets = ['amazon-main', 'ebay', 'etsy', 'shopify'] as const satisfies readonly ExportPresetId[];
/** How long the reference may take, in ms. */
const longestMs = 600_000;
const measureMs = 250;
/** ZIPs in which the images are divided. */
const turns = 4;
/** Images that are exported one by one; they are not in the ZIP, so that nothing is known of those in it. */
const single = 10;

/** @param count images; the ZIP has four files of each */
export async function benchExports(count: number): Promise<void> {
  await onStack({}, async (stack) => {
    const seller = await createBenchSeller(stack);
    const ids: string[] = [];
    const files: string[] = [];
    for (let index = 0; index < count + single; index += 1) {
      const id = await seller.submit();
      await seller.succeeded(id);
      ids.push(id);
      // Each of another size, so that what is known of one is not known of the next.
      files.push(join(stack.storageFolder, storageKeys.image(id, 1)));
      await drawPicture('white mug', { background: '#fafaf8' }).then((picture) =>
        writeResized(picture, 1_024 - index, files[index]!),
      );
    }
    const get = async (path: string, images: readonly string[], wanted: readonly ExportPresetId[]) => {
      const query = new URLSearchParams({ images: images.join(','), presets: wanted.join(',') });
      const reply = await requestAs(stack.url, seller.token, 'GET', `${path}?${query}`);
      if (reply.status !== 200) throw new Error(`${path} answered ${reply.status}: ${await reply.text()}`);
      return reply;
    };
    const { pid } = stack.process('server');
    const beforeMb = proportionalBytes(pid) / 1e6;
    const { files: checked } = exportChecksSchema.parse(
      await (await get(paths.exportChecks, ids.slice(0, 1), presets)).json(),
    );
    const bareOf = (images: readonly string[]) =>
      images.flatMap((file) =>
        checked.map(
          ({ preset, width, height }): BareExport => ({
            file,
            width,
            height,
            findsProduct: preset === 'amazon-main',
          }),
        ),
      );
    const zips: DownloadedZip[] = [];
    let [bareMs, bareProcessorMs, bareFiles] = [0, 0, 0];
    const two = [startBare(), startBare()];
    await Promise.all(two.map((each) => each.run(bareOf(files.slice(0, 1)).slice(0, 2))));
    // In turns, so that what else the machine does reaches both.
    for (let turn = 0; turn < turns; turn += 1) {
      const isOfTurn = (_: unknown, index: number) => index >= single && index % turns === turn;
      zips.push(await downloadZip(stack, () => get(paths.exports, ids.filter(isOfTurn), presets)));
      const bare = bareOf(files.filter(isOfTurn));
      const began = performance.now();
      const halves = await Promise.all(
        two.map((each, half) => each.run(bare.filter((_, index) => index % 2 === half))),
      );
      bareMs += performance.now() - began;
      for (const { processorMs } of halves) bareProcessorMs += processorMs;
      bareFiles += bare.length;
    }
    await Promise.all(two.map((each) => each.end()));
    const sum = (of: (zip: DownloadedZip) => number) => zips.reduce((all, zip) => all + of(zip), 0);
    const mostMb = Math.max(...zips.map((zip) => zip.mostMb));
    console.log(
      [
        `ZIPs of ${bareFiles} files, ${turns} in turns with two processes that only do the bare operations:`,
        `  time ${ms(sum((zip) => zip.wholeMs)).trim()} and ${ms(bareMs).trim()}: ratio of files a second ${(bareMs / sum((zip) => zip.wholeMs)).toFixed(2)} (aim: 0.8)`,
        `  processor time of a file ${ms(sum((zip) => zip.processorMs) / bareFiles).trim()} and ${ms(bareProcessorMs / bareFiles).trim()}`,
        `  first byte after ${zips.map((zip) => ms(zip.firstByteMs).trim()).join(', ')} (aim: 1,000 ms)`,
        `  server and decoders ${beforeMb.toFixed(0)} MB before, ${mostMb.toFixed(0)} MB at most: ${(mostMb - beforeMb).toFixed(0)} MB for it (aim: 250 MB)`,
      ].join('\n'),
    );
    const amazon = bareOf(files.slice(0, single)).filter(({ findsProduct }) => findsProduct);
    const alone = startBare();
    await alone.run(amazon.slice(0, 3));
    const { processorMs } = await alone.run(amazon);
    const { processorMs: withoutModel } = await alone.run(
      amazon.map((each) => ({ ...each, findsProduct: false })),
    );
    await alone.end();
    const before = cpuMs(pid);
    for (const id of ids.slice(0, single)) {
      await get(paths.exports, [id], ['amazon-main']).then((reply) => reply.arrayBuffer());
    }
    const one = (cpuMs(pid) - before) / single;
    const reference = processorMs / single;
    console.log(
      `an Amazon JPEG: ${ms(one).trim()} of processor time, the bare operations ${ms(reference).trim()} (of which sharp alone ${ms(withoutModel / single).trim()}), ratio ${(one / reference).toFixed(2)} (aim: 1.3)`,
    );
  });
}

async function writeResized(picture: Buffer, side: number, file: string): Promise<void> {
  const { sharp } = await import('#shared/platform/sharp.ts');
  await sharp(picture).resize(side, side).png().toFile(file);
}

interface DownloadedZip {
  wholeMs: number;
  firstByteMs: number;
  /** Processor time of the server and its decoders. */
  processorMs: number;
  /** Their memory at most. */
  mostMb: number;
}

/** Downloads it while the memory of the server and its decoders is measured. */
async function downloadZip(stack: CampaignStack, request: () => Promise<Response>): Promise<DownloadedZip> {
  const { pid } = stack.process('server');
  const megabytes = () => proportionalBytes(pid) / 1e6;
  let mostMb = megabytes();
  const before = cpuMs(pid);
  const timer = setInterval(() => {
    mostMb = Math.max(mostMb, megabytes());
  }, measureMs);
  const began = performance.now();
  let firstByteMs: number | undefined;
  try {
    const reply = await request();
    for await (const _ of reply.body!) firstByteMs ??= performance.now() - began;
  } finally {
    clearInterval(timer);
  }
  const wholeMs = performance.now() - began;
  return { wholeMs, firstByteMs: firstByteMs!, processorMs: cpuMs(pid) - before, mostMb };
}

/** A process that only does the image operations of files. */
function startBare() {
  const process = startJobProcess<BareExportJobs>(new URL('bare-exports.ts', import.meta.url));
  return {
    run: (files: readonly BareExport[]) => process.run('make', { files }, longestMs),
    end: process.kill,
  };
}
