/**
 * How a picture was made, stored in the PNG itself: a change of the picture then keeps everything that it does not
 * name. Programs that decode and encode the file remove it, and the picture is changed without it.
 */
import { crc32 } from 'node:zlib';
import { z } from 'zod';

const recipeSchema = z.object({
  /** The first paragraphs of the prompts: the newest change first, the scene last. */
  scenes: z.array(z.string()).min(1),
  take: z.object({
    seed: z.number(),
    mirrored: z.boolean(),
    shift: z.number(),
    size: z.number(),
    pitch: z.number(),
    turn: z.number(),
    lightSide: z.union([z.literal(-1), z.literal(1)]).optional(),
    lightAcross: z.number(),
    lightUp: z.number(),
    hardness: z.number(),
  }),
  /** Whether only an area was changed at some time, so that the picture cannot be made again from this alone. */
  patched: z.boolean(),
});
/** See above. */
export type Recipe = z.infer<typeof recipeSchema>;

const keyword = 'packshot-scene';
const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Where the chunk after the header begins. */
const afterHeader = signature.length + 25;

/** Adds a recipe to a PNG as a text chunk. */
export function writeRecipe(png: Uint8Array, recipe: Recipe): Buffer {
  // Keyword, not compressed, no language, no translated keyword.
  return withChunk(png, Buffer.from(`iTXt${keyword}\0\0\0\0\0${JSON.stringify(recipe)}`, 'utf8'));
}

/** Adds a chunk to a PNG, behind its header. @param body its type and content */
export function withChunk(png: Uint8Array, body: Buffer): Buffer {
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(body.length - 4, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return Buffer.concat([png.subarray(0, afterHeader), chunk, png.subarray(afterHeader)]);
}

/** The recipe in an image file; undefined if it has none. */
export function readRecipe(bytes: Uint8Array): Recipe | undefined {
  const png = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!png.subarray(0, signature.length).equals(signature)) return undefined;
  let at = signature.length;
  while (at + 12 <= png.length) {
    const length = png.readUInt32BE(at);
    const data = png.subarray(at + 8, at + 8 + length);
    if (
      png.toString('latin1', at + 4, at + 8) === 'iTXt' &&
      data.toString('latin1').startsWith(`${keyword}\0`)
    ) {
      return parse(data.toString('utf8', keyword.length + 5));
    }
    at += length + 12;
  }
  return undefined;
}

function parse(text: string): Recipe | undefined {
  try {
    return recipeSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
