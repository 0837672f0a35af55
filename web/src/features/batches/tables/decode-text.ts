/** The encodings that tables are read in, with the names that spreadsheets use. The first of equally likely ones is taken. */
export const encodings = {
  'utf-8': 'Unicode (UTF-8)',
  'utf-16le': 'Unicode (UTF-16)',
  'utf-16be': 'Unicode (UTF-16, big-endian)',
  'windows-1252': 'Western European (Windows)',
  macintosh: 'Western European (Mac)',
  'windows-1250': 'Central European (Windows)',
  'windows-1251': 'Cyrillic (Windows)',
  'koi8-r': 'Cyrillic (KOI8-R)',
  'windows-1253': 'Greek (Windows)',
  'windows-1254': 'Turkish (Windows)',
  'windows-1255': 'Hebrew (Windows)',
  'windows-1256': 'Arabic (Windows)',
  shift_jis: 'Japanese (Shift-JIS)',
  'euc-jp': 'Japanese (EUC)',
  gb18030: 'Chinese, simplified (GBK)',
  big5: 'Chinese, traditional (Big5)',
  'euc-kr': 'Korean (EUC)',
} as const;
export type Encoding = keyof typeof encodings;

const unicode: readonly Encoding[] = ['utf-8', 'utf-16le', 'utf-16be'];
const others = (Object.keys(encodings) as Encoding[]).filter((encoding) => !unicode.includes(encoding));

/** Encodings that the sellers of a language use: they win over equally likely ones. */
const usual: Readonly<Record<string, Encoding>> = {
  pl: 'windows-1250',
  cs: 'windows-1250',
  hu: 'windows-1250',
  tr: 'windows-1254',
  el: 'windows-1253',
  he: 'windows-1255',
  ar: 'windows-1256',
  ja: 'shift_jis',
  zh: 'gb18030',
  ko: 'euc-kr',
};

/** Control characters that no table contains: the file is something else. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to look for
const binary = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/;

/** The text of a file, and how it was read. */
export interface DecodedText {
  text: string;
  encoding: Encoding;
  /** Whether the file may be in another encoding as well: the seller should look at it. */
  isGuess: boolean;
}

/**
 * Reads the bytes of a text file: Unicode by its mark or because all of it fits, else in the encoding whose words look most
 * like words.
 * @param chosen the encoding that the seller chose; null to find it
 * @param language of the seller, such as `pl-PL`
 * @returns null if the file is no text
 */
export function decodeText(bytes: Uint8Array, chosen: Encoding | null, language: string): DecodedText | null {
  const found = chosen ?? unicodeOf(bytes);
  const encoding = found ?? likeliest(bytes, language);
  const text = new TextDecoder(encoding).decode(bytes);
  return binary.test(text) ? null : { text, encoding, isGuess: found === null };
}

function unicodeOf(bytes: Uint8Array): Encoding | null {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  // Without a mark: the delimiters and line ends are ASCII, so every second byte of them is 0.
  const zeros = [0, 0];
  for (const [index, byte] of bytes.subarray(0, 1_000).entries()) if (byte === 0) zeros[index % 2]! += 1;
  const many = Math.min(bytes.length, 1_000) / 10;
  if (zeros[1]! > many && zeros[0]! < zeros[1]! / 4) return 'utf-16le';
  if (zeros[0]! > many && zeros[1]! < zeros[0]! / 4) return 'utf-16be';
  return decodeStrictly(bytes, 'utf-8') === null ? null : 'utf-8';
}

/** Bytes that decide about the encoding. */
const sampleBytes = 50_000;

function likeliest(bytes: Uint8Array, language: string): Encoding {
  const sample = withoutCutCharacter(bytes.subarray(0, sampleBytes), bytes.length);
  const preferred = usual[language.slice(0, 2)];
  const scores = others.flatMap((encoding) => {
    const text = decodeStrictly(sample, encoding);
    return text === null
      ? []
      : [{ encoding, score: plausibility(text) + (encoding === preferred ? 0.05 : 0) }];
  });
  const best = scores.reduce<(typeof scores)[number] | null>(
    (winner, each) => (winner === null || each.score > winner.score ? each : winner),
    null,
  );
  return best?.encoding ?? 'windows-1252';
}

/** A sample up to its last line end, so that it does not end within a character. */
function withoutCutCharacter(sample: Uint8Array, length: number): Uint8Array {
  const end = sample.lastIndexOf(0x0a);
  return sample.length === length || end < 0 ? sample : sample.subarray(0, end);
}

function decodeStrictly(bytes: Uint8Array, encoding: Encoding): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

const scripts = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Hebrew}/u,
  /\p{Script=Arabic}/u,
  /\p{Script=Hangul}/u,
  // One script: Japanese words mix them.
  /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}ー]/u,
];
const ascii = /^[ -~\s]*$/;
/** Signs that tables have outside of words. */
const usualSigns = /[€£¥©®™°²³½¼¾×µ\u00a0–—‘’“”„‚…«»·•、。「」・（），：；！？]/u;
const halfWidthKana = /[\uff61-\uff9f]/;
const isLetter = /\p{L}/u;

/** How much the words of a text look like words of one language, from -1 to 1. */
function plausibility(text: string): number {
  let [good, bad] = [0, 0];
  for (const word of text.match(/[^\s\p{P}\d]+/gu) ?? []) {
    if (ascii.test(word)) continue;
    const characters = [...word];
    const foreign = characters.filter((character) => !ascii.test(character));
    for (const character of foreign) {
      if (halfWidthKana.test(character)) bad += 2;
      else if (isLetter.test(character)) good += 1;
      else bad += usualSigns.test(character) ? 0 : 2;
    }
    const used = scripts.filter((script) => characters.some((character) => script.test(character)));
    if (used.length > 1) bad += foreign.length * 1.5;
    // A Latin word has few letters with marks.
    const isLatin = used.length === 1 && used[0] === scripts[0];
    if (isLatin && characters.length > 1 && foreign.length > characters.length / 2) bad += foreign.length;
    if (/\p{Ll}\p{Lu}/u.test(word)) bad += 2;
    if (/\p{Lu}{2}/u.test(word) && /\p{Ll}/u.test(word)) bad += 1;
    // Icelandic letters are rarer than encodings that are mistaken for them.
    if (/[ýþðÞÐ]/.test(word)) bad += 0.5;
    if (/[ぁ-んァ-ヶ]{2}|^\p{Script=Hangul}+$/u.test(word)) good += 0.5;
  }
  return (good - bad) / (good + bad + 1);
}
