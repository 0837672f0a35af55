import { StringDecoder } from 'node:string_decoder';
import { releaseMemory } from '#shared/platform/release-memory.ts';

/*
 * Takes the images out of a provider's answer while it arrives. An image of 1.5 MB is 2 MB of base64 within JSON. As
 * strings of that size the answer would be on V8's heap several times, and collecting them costs a worker more processor
 * time than everything else that it does with an answer (docs/decisions/0078-provider-answers.md).
 */

const key = '"b64_json":"';
const keyPattern = /"b64_json"\s*:\s*"/;
const quote = 0x22;

export interface ImageExtractor {
  /** @returns the text of the bytes, in which each image is an empty string */
  text(bytes: Uint8Array): string;
  /** The answer is complete. @returns the rest of its text, which was held back because a key might have begun in it */
  end(): string;
  /** @returns the oldest complete image that was not taken yet, or undefined */
  takeImage(): Buffer<ArrayBuffer> | undefined;
}

/** Reads one answer: JSON in UTF-8, whose values of `b64_json` are base64. */
export function createImageExtractor(): ImageExtractor {
  const decoder = new StringDecoder('utf8');
  const images: Buffer<ArrayBuffer>[] = [];
  /** Bytes that may be the beginning of a key. */
  let heldBack = Buffer.alloc(0);
  /** Of the image that is arriving; null in between. */
  let image: Base64Decoder | null = null;

  function readText(bytes: Buffer): string {
    const all = heldBack.length > 0 ? Buffer.concat([heldBack, bytes]) : bytes;
    // One character for each byte, so that positions are the same.
    const characters = all.toString('latin1');
    const found = keyPattern.exec(characters);
    if (!found) {
      const end = beginOfKey(characters);
      // A copy: the rest of the bytes can be freed.
      heldBack = Buffer.from(all.subarray(end));
      return decoder.write(all.subarray(0, end));
    }
    heldBack = Buffer.alloc(0);
    image = createBase64Decoder();
    const end = found.index + found[0].length;
    return decoder.write(all.subarray(0, end)) + read(all.subarray(end));
  }

  function readImage(bytes: Buffer, decoding: Base64Decoder): string {
    const end = bytes.indexOf(quote);
    const part = bytes.toString('latin1', 0, end === -1 ? bytes.length : end);
    // JSON may write a slash as `\/`; base64 has no other character that is escaped.
    decoding.write(part.includes('\\') ? part.replaceAll('\\', '') : part);
    if (end === -1) return '';
    images.push(decoding.end());
    image = null;
    return read(bytes.subarray(end));
  }

  function read(bytes: Buffer): string {
    return image ? readImage(bytes, image) : readText(bytes);
  }

  return {
    text: (bytes) => read(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)),
    end: () => decoder.end(heldBack),
    takeImage: () => images.shift(),
  };
}

/** @returns where a key may begin that is not complete yet; the length of the text if none does */
function beginOfKey(text: string): number {
  const last = text.lastIndexOf('"');
  // The last quote may be the one after the name of the key.
  for (const at of [text.lastIndexOf('"', last - 1), last]) {
    if (at !== -1 && key.startsWith(text.slice(at).replaceAll(/\s/g, ''))) return at;
  }
  return text.length;
}

interface Base64Decoder {
  write(text: string): void;
  /** @returns all bytes */
  end(): Buffer<ArrayBuffer>;
}

/** Decodes base64 that arrives in parts. */
function createBase64Decoder(): Base64Decoder {
  const parts: Buffer[] = [];
  /** Less than four characters, which are three bytes. */
  let rest = '';
  const decode = (text: string) => parts.push(Buffer.from(text, 'base64'));
  return {
    write(text) {
      // The rest is completed by itself, so that the text is not copied.
      const missing = rest === '' ? 0 : 4 - rest.length;
      rest += text.slice(0, missing);
      if (rest.length === 4) {
        decode(rest);
        rest = '';
      } else if (rest !== '') return;
      const end = text.length - (Math.max(0, text.length - missing) % 4);
      decode(text.slice(missing, end));
      rest = text.slice(end);
    },
    end() {
      decode(rest);
      // Not from Node's pool of small buffers: these bytes are handed to another thread with all of their memory.
      const bytes = Buffer.allocUnsafeSlow(parts.reduce((sum, { byteLength }) => sum + byteLength, 0));
      let end = 0;
      for (const part of parts) {
        bytes.set(part, end);
        end += part.byteLength;
      }
      for (const part of parts) releaseMemory(part);
      return bytes;
    },
  };
}
