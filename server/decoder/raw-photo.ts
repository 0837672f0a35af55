/** For a photo as a camera's sensor saw it. */
export const rawMessage =
  "One of the photos is a RAW file of a camera, which can't be opened here. Please export it as JPEG.";

/** How RAW files begin that are no TIFF (Canon, Fujifilm, Olympus, Panasonic, Sigma), and Canon's own kind of TIFF. */
const beginnings: readonly (readonly [at: number, text: string])[] = [
  [8, 'CR\x02'],
  [4, 'ftypcrx '],
  [0, 'FUJIFILMCCD-RAW'],
  [0, 'IIRO'],
  [0, 'IIRS'],
  [0, 'MMOR'],
  [0, 'IIU\0'],
  [0, 'FOVb'],
];

/** Whether the first bytes of a file say that it is a RAW file. Others say it further inside (tiff.ts). */
export function beginsAsRaw(head: Uint8Array): boolean {
  const text = Buffer.from(head).toString('latin1');
  return beginnings.some(([at, beginning]) => text.startsWith(beginning, at));
}
