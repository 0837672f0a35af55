import { closeSync, openSync, readSync } from 'node:fs';
import { HeicFault } from './heic.ts';
import { profileOfNclx } from './nclx-profile.ts';

/** What describes the picture is before its data, and as small. */
const describedBytes = 64 * 1024;
/** Where the colours are said as for video: the name of the box or chunk, and how many bytes a number has. */
const places: Readonly<Record<string, readonly [name: string, numberBytes: number]>> = {
  heif: ['colrnclx', 2],
  png: ['cICP', 1],
};

/**
 * Reads which colours the numbers of an AVIF or PNG without an ICC profile are: libvips takes them for those of sRGB.
 * @returns a profile; undefined if they are
 * @throws HeicFault if they cannot be shown
 */
export function profileOfVideoColours(path: string, format: string): Uint8Array | undefined {
  const place = places[format];
  if (!place) return undefined;
  const [name, numberBytes] = place;
  const file = openSync(path, 'r');
  try {
    const head = Buffer.alloc(describedBytes);
    const bytes = head.subarray(0, readSync(file, head, 0, head.length, 0));
    const at = bytes.indexOf(name) + name.length;
    if (at < name.length || at + 2 * numberBytes > bytes.length) return undefined;
    const profile = profileOfNclx({
      primaries: bytes.readUIntBE(at, numberBytes),
      transfer: bytes.readUIntBE(at + numberBytes, numberBytes),
    });
    if (profile === 'unknown') throw new HeicFault('unknown');
    return profile ?? undefined;
  } finally {
    closeSync(file);
  }
}
