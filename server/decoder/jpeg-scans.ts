/** The scans of a progressive JPEG: each refines numbers of all rows (T.81, G.1). */

const markers = { startOfFrame: 0xc2, startOfScan: 0xda };
const coefficients = 64;

/**
 * Finds the scan in which a progressive JPEG breaks off.
 * @returns where the data of that scan begin, if only its last bits of some numbers are missing; the length of the file if nothing is
 *   missing but the mark of its end; undefined if more is missing
 */
export function brokenScan(file: Buffer): number | undefined {
  /** For each component: how many low bits of each coefficient are missing. */
  const missing = new Map<number, Uint8Array>();
  let broken = file.length;
  for (let at = 2; at + 4 <= file.length; ) {
    if (file[at] !== 0xff) return undefined;
    const [marker, length] = [file[at + 1]!, file.readUInt16BE(at + 2)];
    const body = file.subarray(at + 4, at + 2 + length);
    at += 2 + length;
    if (marker === markers.startOfFrame) {
      for (let part = 0; part < body[5]!; part += 1) {
        missing.set(body[6 + part * 3]!, new Uint8Array(coefficients).fill(255));
      }
    }
    if (marker !== markers.startOfScan) continue;
    const start = at;
    at = endOfScan(file, at);
    const isBroken = at === file.length;
    if (isBroken) broken = start;
    const parts = body[0]!;
    const [first, last, bits] = body.subarray(1 + parts * 2);
    // One that adds the last bit may be broken.
    if (isBroken && bits !== 0x10) return undefined;
    for (let part = 0; part < parts; part += 1) {
      missing.get(body[1 + part * 2]!)?.fill(bits! & 15, first!, last! + 1);
    }
  }
  const isComplete = [...missing.values()].every((each) => each.every((bits) => bits === 0));
  return missing.size > 0 && isComplete ? broken : undefined;
}

/** @returns where the marker after the data of a scan is; the length of the file if there is none */
function endOfScan(file: Buffer, from: number): number {
  for (let at = file.indexOf(0xff, from); at >= 0 && at + 1 < file.length; at = file.indexOf(0xff, at + 1)) {
    const next = file[at + 1]!;
    const isData = next === 0 || next === 0xff || (next >= 0xd0 && next <= 0xd7);
    if (!isData) return at;
  }
  return file.length;
}
