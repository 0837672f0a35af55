import { putOnWhite } from '#shared/contract/edit-background.ts';
import type { EditPixels } from '#shared/contract/edit-geometry.ts';
import { type ExportFormat, exportPreset } from '#shared/contract/export-presets.ts';
import { type Sharp, sharp } from '#shared/platform/sharp.ts';
import { hasWhiteBorder, whitenForExport } from './export-background.ts';
import { exportFrame, type Rectangle, shareOf } from './export-frame.ts';
import { exportXmp } from './export-xmp.ts';
import type { ExportFacts, ExportOrder, Outcome } from './jobs.ts';
import { readPixels } from './read-pixels.ts';
import { storageFailure } from './storage-failure.ts';

/** Makes the file of one of our own images for a preset, and measures what the rules are about. */
export async function exportImage(order: ExportOrder): Promise<Outcome<'export'>> {
  const { path, preset, format, productName } = order;
  try {
    const { rules } = exportPreset(preset);
    const { pixels, hasAlpha } = await readPixels(path);
    const wantsWhite = rules.some(({ kind }) => kind === 'white-background');
    const isOpaque = !hasAlpha || wantsWhite || format === 'jpeg';
    if (isOpaque) putOnWhite(pixels.data);
    const whitened = wantsWhite ? whitenForExport(pixels) : null;
    const product = whitened?.product ?? null;
    const canPad = rules.some(({ kind }) => kind === 'size') && hasWhiteBorder(pixels);
    const frame = exportFrame(pixels, rules, { product, canPad });
    const { left, top, width, height } = frame.region;
    const cut = cutRegion(pixels, frame.region);
    const image = sharp(cut.data, { raw: { width, height, channels: 4 } });
    if (isOpaque) image.removeAlpha();
    if (frame.size.width !== width || frame.size.height !== height)
      image.resize({ ...frame.size, fit: 'fill' });
    image.withIccProfile('srgb').withXmp(exportXmp(productName));
    const file = await encode(image, format).toBuffer();
    const facts: ExportFacts = {
      from: { width: pixels.width, height: pixels.height },
      ...frame.size,
      enlarged: frame.enlarged,
      isCropped: left > 0 || top > 0 || left + width < pixels.width || top + height < pixels.height,
      isPadded: left < 0 || top < 0 || left + width > pixels.width || top + height > pixels.height,
      background: whitened && { isWhite: whitened.isWhite, share: whitened.share },
      productShare:
        product && frame.productShare !== null
          ? { before: shareOf(product, pixels), after: frame.productShare }
          : null,
    };
    return { result: { file, facts } };
  } catch (error) {
    const failed = error instanceof Error ? error.message : String(error);
    return storageFailure(error, path) ?? { failed };
  }
}

/** A part of an image; what is beyond the image is white. */
function cutRegion({ data, width, height }: EditPixels, region: Rectangle): EditPixels {
  const cut = new Uint8ClampedArray(region.width * region.height * 4).fill(255);
  const first = Math.max(0, region.left);
  const end = Math.min(width, region.left + region.width);
  for (let row = Math.max(0, region.top); row < Math.min(height, region.top + region.height); row += 1) {
    const source = data.subarray((row * width + first) * 4, (row * width + end) * 4);
    cut.set(source, ((row - region.top) * region.width + first - region.left) * 4);
  }
  return { data: cut, width: region.width, height: region.height };
}

/** Quality is high: marketplaces compress files again. JPEG keeps colours at full resolution, so edges stay clean. */
function encode(image: Sharp, format: ExportFormat): Sharp {
  switch (format) {
    case 'png':
      return image.png();
    case 'jpeg':
      return image.jpeg({ quality: 93, chromaSubsampling: '4:4:4' });
    case 'webp':
      return image.webp({ quality: 92 });
    case 'avif':
      return image.avif({ quality: 75, effort: 2 });
  }
}
