/** Draws the icons for home screens from `web/public/favicon.svg`. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { rootFolder } from '#shared/platform/root-folder.ts';

/** An icon: its file name, its side in pixels, and the share of that side which the mark fills. */
interface Icon {
  file: string;
  side: number;
  /** 1 for the rounded icon itself; less for one that fills the whole square, which the system crops. */
  fill: number;
}

const icons: readonly Icon[] = [
  { file: 'icon-192.png', side: 192, fill: 1 },
  { file: 'icon-512.png', side: 512, fill: 1 },
  // Systems may crop a maskable icon to a circle of 80 % of its side.
  { file: 'icon-maskable-512.png', side: 512, fill: 0.72 },
  { file: 'apple-touch-icon-180.png', side: 180, fill: 0.86 },
];

/** Draws every icon into this folder. */
export async function writeIcons(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const svg = await readFile(join(rootFolder, 'web', 'public', 'favicon.svg'), 'utf8');
  const background = /<rect width="32" height="32" rx="9" fill="(#[0-9a-f]{6})"\/>/.exec(svg);
  if (background === null) throw new Error('favicon.svg has no rounded square as its background');
  for (const { file, side, fill } of icons) {
    const mark = fill === 1 ? svg : svg.replace(background[0], '');
    const inner = Math.round(side * fill);
    const input = await sharp(Buffer.from(mark), { density: (72 * inner) / 32 })
      .resize(inner, inner)
      .png()
      .toBuffer();
    const square = sharp({
      create: { width: side, height: side, channels: 4, background: fill === 1 ? '#0000' : background[1]! },
    }).composite([{ input }]);
    await writeFile(join(folder, file), await square.png({ compressionLevel: 9 }).toBuffer());
  }
}
