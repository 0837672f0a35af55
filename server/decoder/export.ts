import { putOnWhite } from '#shared/contract/edit-background.ts';
import type { EditPixels } from '#shared/contract/edit-geometry.ts';
import { imageXmp } from '#shared/images/image-xmp.ts';
import { sharp } from '#shared/platform/sharp.ts';
import {
  clearForExport,
  coloredEdges,
  hasClearBorder,
  hasWhiteBorder,
  whitenForExport,
} from './export-background.ts';
import { encodeExport } from './export-file.ts';
import { exportFrame, isShareExact, partInside, type Rectangle, shareOf } from './export-frame.ts';
import type { ExportFacts, ExportOrder, Outcome } from './jobs.ts';
import { cutOpacity, readPixelsOnce } from './read-pixels.ts';
import { failureOf } from './storage-failure.ts';

/** Makes the file of one of our own images for a preset, and measures what the rules are about. */
export async function exportImage(order: ExportOrder): Promise<Outcome<'export'>> {
  const { path, rules, format, quality, productName, sourceType } = order;
  try {
    const { pixels, hasAlpha } = await readPixelsOnce(path);
    const wantsWhite = rules.some(({ kind }) => kind === 'white-background');
    const wanted = rules.find((rule) => rule.kind === 'background');
    const isOpaque = wanted ? wanted.colour !== null : !hasAlpha || wantsWhite || format === 'jpeg';
    const opacity = hasAlpha ? cutOpacity(pixels) : undefined;
    if (!wanted && isOpaque && hasAlpha) putOnWhite(pixels.data);
    const found = wantsWhite
      ? await whitenForExport(pixels, opacity)
      : wanted
        ? await clearForExport(pixels, opacity)
        : null;
    const { product, content, unclear } = found ?? { product: null, content: null, unclear: [] };
    // Transparent where the file is, or where its colour will be.
    const isCleared = wanted ? Boolean(found?.isWhite && found.isClear) : !isOpaque;
    const colour = isCleared ? (wanted?.colour ?? transparent) : 'white';
    const hasRatio = rules.some(({ kind }) => kind === 'size' || kind === 'ratio');
    const canPad =
      (hasRatio || product !== null) && (isCleared ? hasClearBorder(pixels) : hasWhiteBorder(pixels));
    const frame = exportFrame(pixels, rules, { product, content, canPad });
    const part = partInside(pixels, frame);
    const { inside, placed } = part;
    // Without opacity where there is none: it would be multiplied and divided for each pixel of the enlarged image.
    const cut = cutPart(pixels, inside, isOpaque && !isCleared ? 3 : 4);
    const colored = found && !found.isWhite ? coloredEdges(cut) : [];
    if (product && content) fadeShadow(cut, inside, frame.region, { product, content, isCleared });
    const image = sharp(cut.data, { raw: { width: cut.width, height: cut.height, channels: cut.channels } });
    if (isOpaque && isCleared) image.flatten({ background: colour });
    if (placed.width !== cut.width || placed.height !== cut.height)
      image.resize({ width: placed.width, height: placed.height, fit: 'fill' });
    // Added to the file and not to the pixels: a frame may be many times as large as the image.
    image.extend({
      left: placed.left,
      top: placed.top,
      right: frame.size.width - placed.left - placed.width,
      bottom: frame.size.height - placed.top - placed.height,
      background: colour,
    });
    if (isOpaque) image.removeAlpha();
    const { file, usualBytes } = await encodeExport(image, {
      format,
      quality,
      rules,
      isWhite: Boolean(found?.isWhite) && isOpaque && wantsWhite,
      label: (made) => made.withIccProfile('srgb').withXmp(imageXmp(sourceType, productName)),
    });
    const { left, top, width, height } = frame.region;
    const facts: ExportFacts = {
      from: { width: pixels.width, height: pixels.height },
      ...frame.size,
      enlarged: frame.enlarged,
      sourceType,
      usualBytes,
      isCropped: left > 0 || top > 0 || left + width < pixels.width || top + height < pixels.height,
      isPadded: left < 0 || top < 0 || left + width > pixels.width || top + height > pixels.height,
      isCleared,
      wasClear: opacity !== undefined,
      background: found && { isWhite: found.isWhite, isClear: found.isClear, share: found.share },
      productShare:
        product && frame.productShare !== null
          ? { before: shareOf(product, pixels, isShareExact(rules)), after: frame.productShare }
          : null,
      product: product && inFile(product, part),
      notWhite: [
        ...colored.map((edge) =>
          inFile({ ...edge, left: edge.left + inside.left, top: edge.top + inside.top }, part),
        ),
        ...unclear.map((area) => inFile(area, part)),
      ],
    };
    return { result: { file, facts } };
  } catch (error) {
    return failureOf(error, path);
  }
}

const transparent = { r: 0, g: 0, b: 0, alpha: 0 };

/** Pixels with or without opacity. */
interface Cut {
  data: Uint8ClampedArray;
  channels: 3 | 4;
  width: number;
  height: number;
}

/** A part of the image in pixels of its file, as far as the file shows it. */
function inFile(part: Rectangle, { inside, placed }: ReturnType<typeof partInside>): Rectangle {
  const within = (from: number, length: number, [start, all]: number[], [first, pixels]: number[]) => {
    const place = (at: number) =>
      first! + Math.round((Math.min(all!, Math.max(0, at - start!)) * pixels!) / all!);
    return [place(from), place(from + length) - place(from)] as const;
  };
  const across = ({ left, width }: Rectangle) => [left, width];
  const down = ({ top, height }: Rectangle) => [top, height];
  const [left, width] = within(part.left, part.width, across(inside), across(placed));
  const [top, height] = within(part.top, part.height, down(inside), down(placed));
  return { left, top, width, height };
}

/** A part of an image. */
function cutPart({ data, width }: EditPixels, part: Rectangle, channels: 3 | 4): Cut {
  const cut = new Uint8ClampedArray(part.width * part.height * channels);
  for (let row = 0; row < part.height; row += 1) {
    const start = ((part.top + row) * width + part.left) * 4;
    let at = row * part.width * channels;
    if (channels === 4) {
      cut.set(data.subarray(start, start + part.width * 4), at);
      continue;
    }
    for (let source = start; source < start + part.width * 4; source += 4, at += 3) {
      cut[at] = data[source]!;
      cut[at + 1] = data[source + 1]!;
      cut[at + 2] = data[source + 2]!;
    }
  }
  return { data: cut, channels, width: part.width, height: part.height };
}

/**
 * Lets a shadow that does not fit into a file fade at its edges, beside the product. Otherwise it would be cut.
 * @param cut what of the region is inside the image, changed in place; @param inside where that is
 * @param content the product with its shadow; @param isCleared whether it fades to transparent, and not to white
 */
function fadeShadow(
  cut: Cut,
  inside: Rectangle,
  region: Rectangle,
  { product, content, isCleared }: { product: Rectangle; content: Rectangle; isCleared: boolean },
): void {
  const { data, channels, width, height } = cut;
  const spaces = ({ left, top, ...size }: Rectangle) => [
    left - region.left,
    top - region.top,
    region.left + region.width - left - size.width,
    region.top + region.height - top - size.height,
  ];
  if (spaces(content).every((space) => space >= 0)) return;
  const band = Math.max(0, Math.min(...spaces(product)));
  const [left, top] = [inside.left - region.left, inside.top - region.top];
  for (let y = 0; y < height; y += 1) {
    const down = Math.min(top + y, region.height - 1 - top - y);
    for (let x = 0; x < width; x += 1) {
      const column = left + x;
      const distance = Math.min(column, region.width - 1 - column, down);
      if (distance >= band) {
        // Up to the band at the right.
        x = Math.max(x, Math.ceil(region.width - 1 - band) - left - 1);
        continue;
      }
      const part = distance / band;
      const kept = part * part * (3 - 2 * part);
      const at = (y * width + x) * channels;
      if (isCleared && channels === 4) data[at + 3] = data[at + 3]! * kept;
      else
        for (let channel = at; channel < at + 3; channel += 1)
          data[channel] = 255 + (data[channel]! - 255) * kept;
    }
  }
}
