import { putOnWhite } from '#shared/contract/edit-background.ts';
import type { EditPixels } from '#shared/contract/edit-geometry.ts';
import { exportPreset } from '#shared/contract/export-preset-table.ts';
import type { ExportFormat, ExportRule } from '#shared/contract/export-presets.ts';
import { imageXmp } from '#shared/images/image-xmp.ts';
import { type Sharp, sharp } from '#shared/platform/sharp.ts';
import { coloredEdges, hasWhiteBorder, whitenForExport } from './export-background.ts';
import { type ExportFrame, exportFrame, type Rectangle, shareOf } from './export-frame.ts';
import type { ExportFacts, ExportOrder, Outcome } from './jobs.ts';
import { cutOpacity, readPixels } from './read-pixels.ts';
import { failureOf } from './storage-failure.ts';

/** Makes the file of one of our own images for a preset, and measures what the rules are about. */
export async function exportImage(order: ExportOrder): Promise<Outcome<'export'>> {
  const { path, preset, format, productName, sourceType } = order;
  try {
    const { rules } = exportPreset(preset);
    const { pixels, hasAlpha } = await readPixels(path);
    const wantsWhite = rules.some(({ kind }) => kind === 'white-background');
    const isOpaque = !hasAlpha || wantsWhite || format === 'jpeg';
    const opacity = hasAlpha ? cutOpacity(pixels) : undefined;
    if (isOpaque) putOnWhite(pixels.data);
    const whitened = wantsWhite ? await whitenForExport(pixels, opacity) : null;
    const { product, content, unclear } = whitened ?? { product: null, content: null, unclear: [] };
    const hasRatio = rules.some(({ kind }) => kind === 'size' || kind === 'ratio');
    const canPad = hasRatio && hasWhiteBorder(pixels);
    const frame = exportFrame(pixels, rules, { product, content, canPad });
    const { left, top, width, height } = frame.region;
    // Without opacity where there is none: it would be multiplied and divided for each pixel of the enlarged image.
    const cut = cutRegion(pixels, frame.region, isOpaque ? 3 : 4);
    const colored = whitened && !whitened.isWhite ? coloredEdges(cut) : [];
    if (product && content) fadeShadow(cut, frame.region, product, content);
    const image = sharp(cut.data, { raw: { width, height, channels: cut.channels } });
    if (frame.size.width !== width || frame.size.height !== height)
      image.resize({ ...frame.size, fit: 'fill' });
    image.withIccProfile('srgb').withXmp(imageXmp(sourceType, productName));
    const { file, usualBytes } = await encodeWithin(image, format, rules);
    const facts: ExportFacts = {
      from: { width: pixels.width, height: pixels.height },
      ...frame.size,
      enlarged: frame.enlarged,
      sourceType,
      usualBytes,
      isCropped: left > 0 || top > 0 || left + width < pixels.width || top + height < pixels.height,
      isPadded: left < 0 || top < 0 || left + width > pixels.width || top + height > pixels.height,
      background: whitened && { isWhite: whitened.isWhite, isClear: whitened.isClear, share: whitened.share },
      productShare:
        product && frame.productShare !== null
          ? { before: shareOf(product, pixels), after: frame.productShare }
          : null,
      product: product && inFile(product, frame),
      notWhite: [
        ...colored.map((edge) => inFile({ ...edge, left: edge.left + left, top: edge.top + top }, frame)),
        ...unclear.map((part) => inFile(part, frame)),
      ],
    };
    return { result: { file, facts } };
  } catch (error) {
    return failureOf(error, path);
  }
}

/** Pixels with or without opacity. */
interface Cut {
  data: Uint8ClampedArray;
  channels: 3 | 4;
  width: number;
  height: number;
}

/** A part of the image in pixels of its file, as far as the file shows it. */
function inFile(part: Rectangle, { region, size }: ExportFrame): Rectangle {
  const within = (from: number, length: number, start: number, all: number, pixels: number) => {
    const place = (at: number) => Math.round((Math.min(all, Math.max(0, at - start)) * pixels) / all);
    return [place(from), place(from + length) - place(from)] as const;
  };
  const [left, width] = within(part.left, part.width, region.left, region.width, size.width);
  const [top, height] = within(part.top, part.height, region.top, region.height, size.height);
  return { left, top, width, height };
}

/** A part of an image; what is beyond the image is white. */
function cutRegion({ data, width, height }: EditPixels, region: Rectangle, channels: 3 | 4): Cut {
  const cut = new Uint8ClampedArray(region.width * region.height * channels).fill(255);
  const first = Math.max(0, region.left);
  const end = Math.min(width, region.left + region.width);
  for (let row = Math.max(0, region.top); row < Math.min(height, region.top + region.height); row += 1) {
    let at = ((row - region.top) * region.width + first - region.left) * channels;
    if (channels === 4) {
      cut.set(data.subarray((row * width + first) * 4, (row * width + end) * 4), at);
      continue;
    }
    for (let source = (row * width + first) * 4; source < (row * width + end) * 4; source += 4, at += 3) {
      cut[at] = data[source]!;
      cut[at + 1] = data[source + 1]!;
      cut[at + 2] = data[source + 2]!;
    }
  }
  return { data: cut, channels, width: region.width, height: region.height };
}

/**
 * Lets a shadow that does not fit into a file fade to white at its edges, beside the product. Otherwise it would be cut.
 * @param cut the region, changed in place; @param content the product with its shadow
 */
function fadeShadow(cut: Cut, region: Rectangle, product: Rectangle, content: Rectangle): void {
  const { data, channels, width, height } = cut;
  const spaces = ({ left, top, ...size }: Rectangle) => [
    left - region.left,
    top - region.top,
    region.left + width - left - size.width,
    region.top + height - top - size.height,
  ];
  if (spaces(content).every((space) => space >= 0)) return;
  const band = Math.max(0, Math.min(...spaces(product)));
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const distance = Math.min(x, y, width - 1 - x, height - 1 - y);
      if (distance >= band) continue;
      const part = distance / band;
      const kept = part * part * (3 - 2 * part);
      const at = (y * width + x) * channels;
      for (let channel = at; channel < at + 3; channel += 1)
        data[channel] = 255 + (data[channel]! - 255) * kept;
    }
  }
}

/** Qualities of a JPEG: the usual one, and those for files that are larger than allowed. */
const jpegQualities = [93, 85, 75] as const;

/** Encodes an image, as a JPEG of less quality if the usual one has more bytes than a rule allows. */
async function encodeWithin(
  image: Sharp,
  format: ExportFormat,
  rules: readonly ExportRule[],
): Promise<{ file: Uint8Array; usualBytes: number }> {
  const most = Math.min(
    ...rules.map((rule) => (rule.kind === 'bytes' ? rule.most : Number.POSITIVE_INFINITY)),
  );
  const usual = await encode(image.clone(), format, jpegQualities[0]).toBuffer();
  let file = usual;
  for (const quality of format === 'jpeg' ? jpegQualities.slice(1) : []) {
    if (file.byteLength <= most) break;
    file = await encode(image.clone(), format, quality).toBuffer();
  }
  return { file, usualBytes: usual.byteLength };
}

/** Quality is high: marketplaces compress files again. JPEG keeps colours at full resolution, so edges stay clean. */
function encode(image: Sharp, format: ExportFormat, jpegQuality: number): Sharp {
  switch (format) {
    case 'png':
      return image.png();
    case 'jpeg':
      return image.jpeg({ quality: jpegQuality, chromaSubsampling: '4:4:4' });
    case 'webp':
      return image.webp({ quality: 92 });
    case 'avif':
      return image.avif({ quality: 75, effort: 2 });
  }
}
