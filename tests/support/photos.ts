import sharp from 'sharp';

let sample: Promise<Buffer> | undefined;

/** A small PNG photo, made once. */
export function samplePhoto(): Promise<Buffer> {
  sample ??= colouredPhoto('#b5482a');
  return sample;
}

/** A small photo of one colour, told apart from others by it. */
export function colouredPhoto(colour: string, width = 96, height = 64): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: colour } })
    .png()
    .toBuffer();
}
