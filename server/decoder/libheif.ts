/** The library that decodes HEIC: libheif with libde265, compiled to WebAssembly (docs/decisions/0109-heic.md). */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { MainModule } from 'libheif-js/libheif-wasm/libheif.js';
import { HeicFault, type HeicHeader } from './heic.ts';
import { type Nclx, profileOfNclx } from './nclx-profile.ts';
import { exifOrientation } from './tiff.ts';

const startLibheif = createRequire(import.meta.url)('libheif-js/libheif-wasm/libheif.js') as (options: {
  wasmBinary: Uint8Array;
}) => MainModule;
const wasm = fileURLToPath(import.meta.resolve('libheif-js/libheif-wasm/libheif.wasm'));

/** Numbers of libheif's interface (heif_error.h, heif_image.h, heif_color.h). */
const errorOfFeature = { filetype: 3, feature: 4 };
const colourSpaceRgb = 1;
const chroma420 = 1;
const channelInterleaved = 10;
/** The interleaved kinds of pixels: with eight bits, and with more, the low byte first. */
const interleaved = { rgb: 10, rgba: 11, rgb16: 14, rgba16: 15 };

/** The picture of a file that counts. */
export interface HeifPicture {
  header: HeicHeader;
  /** @returns its pixels, turned as the file itself says, row by row, without gaps; numbers of more than eight bits fill sixteen @throws HeicFault */
  decode(): Uint8Array<ArrayBuffer>;
}

/**
 * Opens a HEIC. Only its boxes are read; thumbnails, depth maps and what else belongs to its picture are left out.
 * @throws HeicFault
 */
export function openHeif(file: Uint8Array): HeifPicture {
  const heif = startLibheif({ wasmBinary: readFileSync(wasm) });
  // Anew each time: its memory moves when it grows.
  const memory = () => new DataView((heif.HEAPU8 as Uint8Array<ArrayBuffer>).buffer);
  const number = (at: number) => memory().getUint32(at, true);
  const fault = heif._malloc(12);
  const [one, other] = [heif._malloc(256), heif._malloc(8)];
  const check = () => {
    const code = number(fault);
    if (code === 0) return;
    const isUnknown = code === errorOfFeature.filetype || code === errorOfFeature.feature;
    throw new HeicFault(isUnknown ? 'unknown' : 'damaged');
  };

  const bytes = heif._malloc(file.length);
  heif.HEAPU8.set(file, bytes);
  const context = heif._heif_context_alloc();
  heif._heif_context_read_from_memory_without_copy(fault, context, bytes, file.length, 0);
  check();
  heif._heif_context_get_primary_image_handle(fault, context, one);
  check();
  const picture = number(one);
  const header = readHeader();
  return { header, decode };

  function readHeader(): HeicHeader {
    heif._heif_image_handle_get_preferred_decoding_colorspace(fault, picture, other, one);
    check();
    const hasHalfColour = number(one) === chroma420;
    heif._heif_image_handle_get_image_tiling(fault, picture, 1, one);
    check();
    const isTiled = number(one + 4) * number(one + 8) > 1;
    return {
      width: heif._heif_image_handle_get_width(picture),
      height: heif._heif_image_handle_get_height(picture),
      orientation: readOrientation(),
      bits: heif._heif_image_handle_get_luma_bits_per_pixel(picture),
      channels: heif._heif_image_handle_has_alpha_channel(picture) ? 4 : 3,
      isPremultiplied: heif._heif_image_handle_is_premultiplied_alpha(picture) !== 0,
      hasHalfColour,
      isTiled,
      profile: readProfile(),
    };
  }

  /**
   * How EXIF turns the picture. By the standard EXIF counts for nothing; but files of apps that are not MIAF and do not say
   * themselves how to turn the picture are shown by Apple's systems as EXIF says.
   */
  function readOrientation(): number {
    const name = (text: string) => {
      heif.HEAPU8.set(Buffer.from(`${text}\0`), other);
      return other;
    };
    if (heif._heif_has_compatible_brand(bytes, file.length, name('miaf')) === 1) return 1;
    const item = heif._heif_image_handle_get_item_id(picture);
    if (heif._heif_item_get_transformation_properties(context, item, 0, 0) > 0) return 1;
    if (heif._heif_image_handle_get_list_of_metadata_block_IDs(picture, name('Exif'), one, 1) === 0) return 1;
    const id = number(one);
    const size = heif._heif_image_handle_get_metadata_size(picture, id);
    const exif = heif._malloc(size);
    heif._heif_image_handle_get_metadata(fault, picture, id, exif);
    // A picture is not refused for what belongs to it.
    if (number(fault) !== 0 || size < 4) return 1;
    const block = Buffer.from(heif.HEAPU8.subarray(exif, exif + size));
    // The first number says how far after it EXIF begins.
    return exifOrientation(block.subarray(4 + block.readUInt32BE(0)));
  }

  /** @returns an ICC profile; null if the numbers are those of sRGB */
  function readProfile(): Uint8Array<ArrayBuffer> | null {
    const size = heif._heif_image_handle_get_raw_color_profile_size(picture);
    if (size > 0) {
      const profile = heif._malloc(size);
      heif._heif_image_handle_get_raw_color_profile(fault, picture, profile);
      check();
      return heif.HEAPU8.slice(profile, profile + size);
    }
    heif._heif_image_handle_get_nclx_color_profile(fault, picture, one);
    if (number(fault) !== 0) return null;
    const at = number(one);
    const nclx: Nclx = { primaries: number(at + 4), transfer: number(at + 8) };
    const profile = profileOfNclx(nclx);
    if (profile === 'unknown') throw new HeicFault('unknown');
    return profile;
  }

  function decode(): Uint8Array<ArrayBuffer> {
    const { channels, bits } = header;
    const isDeep = bits > 8;
    const kind = channels === 4 ? (isDeep ? 'rgba16' : 'rgba') : isDeep ? 'rgb16' : 'rgb';
    heif._heif_decode_image(fault, picture, one, colourSpaceRgb, interleaved[kind], 0);
    check();
    const image = number(one);
    // Tiles that are missing or damaged are left grey otherwise.
    if (heif._heif_image_get_decoding_warnings(image, 0, 0, 0) > 0) throw new HeicFault('damaged');
    const start = heif._heif_image_get_plane_readonly2(image, channelInterleaved, other);
    const stride = number(other);
    const width = heif._heif_image_get_width(image, channelInterleaved);
    const height = heif._heif_image_get_height(image, channelInterleaved);
    if (width !== header.width || height !== header.height) throw new HeicFault('damaged');
    const row = width * channels * (isDeep ? 2 : 1);
    const pixels = new Uint8Array(row * height);
    for (let y = 0; y < height; y += 1) {
      pixels.set(heif.HEAPU8.subarray(start + y * stride, start + y * stride + row), y * row);
    }
    if (isDeep) fillSixteenBits(new Uint16Array(pixels.buffer), bits);
    return pixels;
  }
}

/** Numbers of fewer bits in the range of sixteen: the largest stays the largest. */
function fillSixteenBits(numbers: Uint16Array, bits: number): void {
  const most = 2 ** bits - 1;
  for (let at = 0; at < numbers.length; at += 1) numbers[at] = (numbers[at]! * 65_535) / most + 0.5;
}
