import { exportName } from './download-name.ts';
import { type ExportFormat, exportFormatNames } from './export-presets.ts';
import type { ExportQuery } from './exports.ts';
import type { FilePreset } from './file-preset.ts';
import { createPlaces } from './product-places.ts';
import { uniqueName } from './unique-name.ts';

/** What an image gives the names of its files. */
interface NamedImage {
  asin?: string | undefined;
  sku: string;
  productName: string;
  /** When it was requested, as an ISO date and time. */
  createdAt: string;
}

/** What is exported of images, in presets that are known. */
export interface WantedExport extends Omit<ExportQuery, 'images' | 'presets'> {
  presets: readonly FilePreset[];
}

/** A file of an export. */
export interface NamedExport<Image> {
  image: Image;
  preset: FilePreset;
  format: ExportFormat;
  /** Unique among the files of the export. */
  fileName: string;
}

/** The name of a ZIP of exported files. @param at when it is made */
export const exportZipName = (at: Date) => `packshot-images-${at.toISOString().slice(0, 10)}.zip`;

/** The files of an export with their names: each image in each preset. */
export function nameExports<Image extends NamedImage>(
  images: readonly Image[],
  { presets, format, name, asin }: WantedExport,
): NamedExport<Image>[] {
  const taken = new Set<string>();
  const placeOf = createPlaces();
  return images.flatMap((image) => {
    const product = { asin: image.asin ?? asin, sku: image.sku, name: image.productName };
    const place = placeOf(product, product.name);
    return presets.map((preset) => {
      const written = preset.format ?? format;
      const named = { ...product, place, preset: preset.label, askedAt: image.createdAt };
      const fileName = uniqueName(taken, (suffix) =>
        exportName(preset.namePattern ?? name, named, exportFormatNames[written].extension, suffix),
      );
      return { image, preset, format: written, fileName };
    });
  });
}
