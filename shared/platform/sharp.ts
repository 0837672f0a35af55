/** The only import of sharp in the product: its processes can open only the formats that photos and images have. */
// biome-ignore lint/style/noRestrictedImports: this is the module that the rule names
import sharp from 'sharp';

// biome-ignore lint/style/noRestrictedImports: types for the users of this module
export type { OutputInfo, Sharp } from 'sharp';

// libvips finds the format by the bytes, so a file with any name could reach the loader of any format.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: [
    'VipsForeignLoadJpeg',
    'VipsForeignLoadPng',
    'VipsForeignLoadWebp',
    'VipsForeignLoadTiff',
    // AVIF.
    'VipsForeignLoadHeif',
  ],
});

// libvips would keep what it has decoded, up to 50 MB in each process, for operations that are repeated: no picture is read twice.
sharp.cache(false);

export { sharp };
