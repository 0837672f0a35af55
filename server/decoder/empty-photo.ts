const retry = 'so there is nothing to see in it. Please choose another one.';
const invisible = `One of the photos is fully transparent, ${retry}`;
const oneColour = `One of the photos has a single colour, ${retry}`;

/** How much the numbers of a single colour may differ, of 255: encoders round. */
const spread = 2;

/**
 * Why a photo shows nothing: a photograph, even of a white wall, has noise.
 * @param data its pixels, RGB or RGBA
 * @returns a message; undefined if there is something to see, such as a shape that only the transparency has
 */
export function emptinessOf(data: Uint8Array, channels: number): string | undefined {
  if (channels === 4 && isInvisible(data)) return invisible;
  const least = new Uint8Array(channels).fill(255);
  const most = new Uint8Array(channels);
  for (let at = 0; at < data.length; at += channels) {
    for (let channel = 0; channel < channels; channel += 1) {
      const value = data[at + channel]!;
      if (value < least[channel]!) least[channel] = value;
      if (value > most[channel]!) most[channel] = value;
      if (most[channel]! - least[channel]! > spread) return undefined;
    }
  }
  return oneColour;
}

/** @param data RGBA */
function isInvisible(data: Uint8Array): boolean {
  for (let at = 3; at < data.length; at += 4) if (data[at] !== 0) return false;
  return true;
}
