/** The watermark of sketches and test images: a tile, drawn for pictures of 640 pixels, that is repeated without a seam. */
export const watermarkFile = new URL('watermark.png', import.meta.url);
