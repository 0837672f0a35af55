/** The encodings that tables are read in, with the names that spreadsheets use. */
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

/** What is written in a language, and the encodings of its tables. */
interface Writing {
  /** Of a seller who has it. */
  language: RegExp;
  encodings: readonly Encoding[];
  /** Letters besides those of ASCII, the most frequent first: small ones; of Chinese, Japanese and Korean, those of product tables. */
  letters: string;
}
const western = ['windows-1252', 'macintosh'] as const;
const writings: readonly Writing[] = [
  { language: /^de/, encodings: western, letters: 'üäöß' },
  { language: /^fr/, encodings: western, letters: 'éèàêçôâîûœïùë' },
  { language: /^es/, encodings: western, letters: 'óíáéñúü' },
  { language: /^pt/, encodings: western, letters: 'ãçáéóíêâõôúà' },
  { language: /^nl/, encodings: western, letters: 'ëéïèöü' },
  { language: /^it/, encodings: western, letters: 'àèùòìé' },
  { language: /^(?:sv|da|nb|no|fi)/, encodings: western, letters: 'åäøöæé' },
  { language: /^pl/, encodings: ['windows-1250'], letters: 'łóżąęśćńź' },
  { language: /^(?:cs|sk)/, encodings: ['windows-1250'], letters: 'áíéěžčýšřůúťňóďľäôĺŕ' },
  { language: /^hu/, encodings: ['windows-1250'], letters: 'áéőöóüíúű' },
  { language: /^ro/, encodings: ['windows-1250'], letters: 'ăţşîâ' },
  { language: /^(?:hr|sl|bs|sr)/, encodings: ['windows-1250'], letters: 'čšžćđ' },
  { language: /^tr/, encodings: ['windows-1254'], letters: 'ıüşğçöİâ' },
  {
    language: /^(?:ru|bg)/,
    encodings: ['windows-1251', 'koi8-r'],
    letters: 'оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё',
  },
  { language: /^uk/, encodings: ['windows-1251'], letters: 'оаинівертксулмдпзягьбчйхцєжїюфшщґ' },
  { language: /^el/, encodings: ['windows-1253'], letters: 'αοιτεσνκρπηυλμάςίόγδέχωήφθβύζξώψϊϋ' },
  { language: /^he/, encodings: ['windows-1255'], letters: 'יוהלרמאתבםנשפקטסדכןעחגזצךףץ' },
  {
    language: /^(?:ar|fa|ur)/,
    encodings: ['windows-1256'],
    letters: 'الميرنوتةبدسعفكحقهأجطشصىخزضغئذثإءآظؤ',
  },
  {
    language: /^ja/,
    encodings: ['shift_jis', 'euc-jp'],
    letters:
      '品商用名色番号価格無料送込税画像写真大小中新白黒青赤緑茶金銀木製陶器皿花瓶限定円入本枚個袋箱型数量単位説明在庫式背景子男女供服靴布革紙水湯酒食日月年分類',
  },
  {
    language: /^zh(?!-(?:TW|HK|MO|Hant))/,
    encodings: ['gb18030'],
    letters:
      '色品商名号价格图片大小货款白黑红蓝绿粉灰金银木套装新式男女童子包手机杯盒袋布棉皮瓷陶茶水个件只双条米寸长宽高尺码规材质量重场景编描述数单位家用电线灯桌椅床衣裤裙鞋帽表香油纸花瓶克马',
  },
  {
    language: /^zh(?!-(?:CN|SG|Hans))/,
    encodings: ['big5'],
    letters:
      '色品商名號價格圖片大小貨款白黑紅藍綠粉灰金銀木套裝新式男女童子包手機杯盒袋布棉皮瓷陶茶水個件隻雙條米寸長寬高尺碼規材質量重場景編描述數單位家用電線燈桌椅床衣褲裙鞋帽錶香油紙花瓶克馬',
  },
  {
    language: /^ko/,
    encodings: ['euc-kr'],
    letters:
      '이스트리기가지드자도아용라색상품인사명제개비수고세코격대하오정시일로어디그미마터러플티프레블컵머키번호주소화장물우한보',
  },
];

/** All of them in UTF-8, to compare with. */
const inUtf8 = writings.map((writing): Writing => ({ ...writing, encodings: ['utf-8'] }));

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
 * Reads the bytes of a text file: Unicode by its mark or because all of it fits, else in the encoding in which its characters
 * are the least surprising.
 * @param chosen the encoding that the seller chose; null to find it
 * @param language of the seller, such as `pl-PL`
 * @returns null if the file is no text
 */
export function decodeText(bytes: Uint8Array, chosen: Encoding | null, language: string): DecodedText | null {
  const { encoding, isGuess } =
    chosen === null ? encodingOf(bytes, language) : { encoding: chosen, isGuess: false };
  const text = new TextDecoder(encoding).decode(bytes);
  return binary.test(text) ? null : { text, encoding, isGuess };
}

function encodingOf(bytes: Uint8Array, language: string): { encoding: Encoding; isGuess: boolean } {
  const [first, second, third] = bytes;
  const utf16 = utf16Of(bytes);
  if (utf16 !== null) return { encoding: utf16, isGuess: false };
  const isUtf8 = decodeStrictly(bytes, 'utf-8') !== null;
  const hasMark = first === 0xef && second === 0xbb && third === 0xbf;
  if (isUtf8 && (hasMark || !mayBeOther(bytes))) return { encoding: 'utf-8', isGuess: false };
  const other = likeliest(bytes, language, writings);
  if (!isUtf8) return { encoding: other.encoding, isGuess: true };
  const utf8 = likeliest(bytes, language, inUtf8);
  return {
    encoding: utf8.bits > other.bits ? other.encoding : 'utf-8',
    isGuess: utf8.bits + doubtBits > other.bits,
  };
}

function utf16Of(bytes: Uint8Array): Encoding | null {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  // Without a mark: the delimiters and line ends are ASCII, so every second byte of them is 0.
  const zeros = [0, 0];
  for (const [index, byte] of bytes.subarray(0, 1_000).entries()) if (byte === 0) zeros[index % 2]! += 1;
  const many = Math.min(bytes.length, 1_000) / 10;
  if (zeros[1]! > many && zeros[0]! < zeros[1]! / 4) return 'utf-16le';
  if (zeros[0]! > many && zeros[1]! < zeros[0]! / 4) return 'utf-16be';
  return null;
}

/** Bytes that decide about the encoding: so many, or so many that are not ASCII. */
const sampleBytes = { all: 50_000, notAscii: 2_000 };

/**
 * Whether so little of a text in UTF-8 is not ASCII that it may be of another encoding by chance: two Chinese characters
 * may be valid UTF-8 as well.
 */
function mayBeOther(bytes: Uint8Array): boolean {
  if (bytes.length > sampleBytes.all) return false;
  const notAscii = bytes.filter((byte) => byte >= 0x80);
  return notAscii.length > 0 && notAscii.length <= 16 && notAscii.every((byte) => byte < 0xe0);
}

/** The encoding in which the text is the least surprising. */
function likeliest(
  bytes: Uint8Array,
  language: string,
  candidates: readonly Writing[],
): { encoding: Encoding; bits: number } {
  const sample = sampleOf(bytes);
  const isPart = sample.length < bytes.length;
  const texts = new Map<Encoding, readonly string[] | null>();
  let best: { encoding: Encoding; bits: number } = {
    encoding: 'windows-1252',
    bits: Number.POSITIVE_INFINITY,
  };
  // The seller's first: others are left as soon as they are more surprising.
  for (const writing of candidates.toSorted(
    (one, other) => languageBits(one, language) - languageBits(other, language),
  )) {
    for (const encoding of writing.encodings) {
      if (!texts.has(encoding)) texts.set(encoding, charactersOf(sample, encoding, isPart));
      const characters = texts.get(encoding);
      if (!characters) continue;
      const initial = languageBits(writing, language) + (rarity[encoding] ?? 0);
      const bits = initial + surprise(characters, sample, encoding, writing.letters, best.bits - initial);
      if (bits < best.bits) best = { encoding, bits };
    }
  }
  return best;
}

const languageBits = (writing: Writing, language: string) =>
  writing.language.test(language) ? 0 : otherLanguageBits;

/** The beginning of a file that decides. */
function sampleOf(bytes: Uint8Array): Uint8Array {
  let left = sampleBytes.notAscii;
  const end = bytes.findIndex((byte, index) => {
    if (byte >= 0x80) left -= 1;
    return left === 0 || index === sampleBytes.all;
  });
  return end < 0 ? bytes : bytes.subarray(0, end);
}

/** @param isPart whether the last character may be cut off */
function charactersOf(bytes: Uint8Array, encoding: Encoding, isPart: boolean): readonly string[] | null {
  const text = decodeStrictly(bytes, encoding, isPart);
  return text === null ? null : [...text];
}

function decodeStrictly(bytes: Uint8Array, encoding: Encoding, isPart = false): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: isPart });
  } catch {
    return null;
  }
}

// All bits were chosen so that short tables of public repositories are read as they were written.
/** With fewer bits between them, two encodings are both likely. */
const doubtBits = 6;
/** Bits that a table in another language than the seller's costs. */
const otherLanguageBits = 6;
/** Bits that encodings cost that are rarer than others of the same language. */
const rarity: Partial<Record<Encoding, number>> = {
  macintosh: 4,
  'koi8-r': 4,
  'euc-jp': 4,
  'windows-1250': 3,
  'windows-1254': 3,
};

/** Whether the bytes are of the part of an encoding that has the frequent characters: its makers put them first. */
const isFrequent: Partial<Record<Encoding, (first: number, second: number) => boolean>> = {
  shift_jis: (first) => first <= 0x98,
  'euc-jp': (first) => first >= 0xa1 && first <= 0xcf,
  gb18030: (first, second) => first >= 0xa1 && first <= 0xd7 && second >= 0xa1,
  big5: (first) => first >= 0xa1 && first <= 0xc6,
  'euc-kr': (first, second) => first >= 0xa1 && first <= 0xc8 && second >= 0xa1,
};

/** Signs where tables have them, each with the two characters before and behind it. */
const signsInPlace: readonly RegExp[] = [
  // Apostrophes: of English, of elided vowels, of Cyrillic words, of feet and inches.
  /^.\p{L}’(?:[sdtmSDTM][^\p{L}]|re|ll|ve|[^\p{L}].|\p{Lu}\p{Ll})$/su,
  /^(?:[^\p{L}]\p{L}|ll|qu|un|rd|nt|st)’[aeiouhyéèêàœAEIOUHYÉÊ].$/su,
  /^.\p{Script=Cyrillic}’\p{Script=Cyrillic}.$/su,
  /^.\d[’”]..$/su,
  /^.[^\p{L}\d][“‘„‚«¿¡]\S.$/su,
  /^.\S[”»…’‘“][^\p{L}\d].$/su,
  /^.(?:\s[–—]\s|\d[–—]\d|[^\p{L}\d\s][–—]\s).$/su,
  /^\p{L}{2}—\p{L}{2}$/su,
  /^(?:.\d|\d\s)[€£¥₪][^\p{L}].$/su,
  /^.[^\p{L}][€£¥₪](?:\d.|\s\d|[^\p{L}\s].)$/su,
  /^.[\d\s]×[\d\s].$/su,
  /^.(?:[^\p{L}]|N)[½¼¾°º]..$/su,
  /^.[\p{L}\d)][®™©²³][^\p{L}].$/su,
  /^.[^\p{L}\d][©•·§][^\p{L}].$/su,
  /^.[^\p{L}\d][№±][\s\d].$/su,
  /^.[\d\s]µ[a-zA-Z].$/su,
  /^.\dª..$/su,
  /^..\u00a0..$/su,
  /^.[^\p{L}\d]Ø[\s\d].$/su,
];
const signs = /[’“”‘„‚«»¿¡…–—€£¥₪×½¼¾°®™©²³•·§№±µºª\u00a0Ø]/u;

const wide = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々]/u;
const kana = /[\u3041-\u309f\u30a1-\u30ff]/;
const halfWidthSign = /[\uff61-\uff65]/;
const halfWidthKana = /[\uff66-\uff9f]/;
/** Half-width kana that cannot follow: a mark without its consonant, a small one or a long vowel at the beginning. */
const strayMark =
  /^(?:[^\uff73\uff76-\uff84\uff8a-\uff8e]\uff9e|[^\uff8a-\uff8e]\uff9f|[^\uff66-\uff9f][\uff67-\uff70])$/;
const wideSign = /[\u3000-\u303f\uff01-\uff65\uffe0-\uffe6・·…—～〜×°]/u;
const usualSymbol = /[★☆■□◆●○◎※①-⑩♪→]/;
const wideSymbol = /[\u2010-\u2027\u2030-\u206f\u2100-\u27ff\u3200-\u33ff]/u;
/** Hebrew and Greek letters that only end words. */
const endsWords = /[ךםןףץς]/;
const ofPrivateUse = /[\p{Co}\p{Cc}\p{Cn}]/u;

/** Kinds of letters that are not mixed within a word. */
const alphabets = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Hebrew}/u,
  /\p{Script=Arabic}/u,
];
const isLetter = /\p{L}/u;
const alphabetOf = (character: string) => alphabets.findIndex((alphabet) => alphabet.test(character));

/**
 * How surprising the characters are that are not ASCII, in bits.
 * @param limit it is enough to know that it is more
 */
function surprise(
  characters: readonly string[],
  bytes: Uint8Array,
  encoding: Encoding,
  letters: string,
  limit: number,
): number {
  const frequent = isFrequent[encoding];
  let [bits, offset] = [0, 0];
  for (const [index, character] of characters.entries()) {
    const [first, second] = [bytes[offset] ?? 0, bytes[offset + 1] ?? 0];
    offset += lengthOf(encoding, first, second);
    if (character < '\u0080') continue;
    if (bits > limit) return bits;
    const around = [-2, -1, 0, 1, 2].map((step) => characters[index + step] ?? '\n');
    bits += frequent
      ? wideBits(around, letters, frequent(first, second), encoding)
      : narrowBits(around, letters);
  }
  return bits;
}

/** The bytes of a character. */
function lengthOf(encoding: Encoding, first: number, second: number): number {
  if (first < 0x80 || isFrequent[encoding] === undefined) return 1;
  if (encoding === 'shift_jis' && first >= 0xa0 && first <= 0xdf) return 1;
  if (encoding === 'gb18030' && second >= 0x30 && second <= 0x39) return 4;
  return encoding === 'euc-jp' && first === 0x8f ? 3 : 2;
}

/** Letters that stand before few others. */
const joined: Readonly<Record<string, RegExp>> = { œ: /[uieUIE]/, õ: /[eE]/, ã: /[oeOE\s\p{P}]/u };

/** Bits of a sign or a letter, with the two characters before and behind it. */
function narrowBits(around: readonly string[], letters: string): number {
  const [, before, character, behind, behind2] = around as [string, string, string, string, string];
  if (signs.test(character) && signsInPlace.some((place) => place.test(around.join('')))) return 5;
  if (ofPrivateUse.test(character)) return 22;
  const alphabet = alphabetOf(character);
  if (alphabet < 0) return 14;
  const isLatin = alphabet === 0;
  const small = character.toLowerCase();
  const isCapital = small !== character;
  const fits = joined[small]?.test(behind) ?? true;
  const rank = fits ? Math.max(letters.indexOf(small), letters.indexOf(character)) : -1;
  let bits = rank < 0 ? 11 : Math.log2(rank + 3) + 1;
  if (isLatin) bits += 2;
  for (const neighbour of [before, behind]) {
    if (isLetter.test(neighbour) && alphabetOf(neighbour) !== alphabet) bits += 8;
  }
  // Capitals begin a word, or all of it is written in them.
  if (isCapital) {
    bits += /\p{Lu}/u.test(before) ? 0.5 : 2;
    if (/\p{Ll}/u.test(before)) bits += 7;
    if (/^(?:\p{Lu}.\p{Ll}|.\p{Lu}\p{Ll})/su.test(before + behind + behind2)) bits += 4;
  } else if (/\p{Lu}/u.test(behind)) bits += 4;
  const isAlone = !isLetter.test(before) && !isLetter.test(behind);
  if (isAlone) bits += rank >= 0 && !isCapital && alphabet <= 2 ? 5 : 8;
  if (isLatin && /\d/.test(before)) bits += 5;
  if (isLatin && before > '\u007f' && isLetter.test(before)) bits += 2;
  if (endsWords.test(character) && isLetter.test(behind)) bits += 8;
  return bits;
}

/** Bits of a character of Chinese, Japanese or Korean, with the two characters before and behind it. */
function wideBits(around: readonly string[], letters: string, isCommon: boolean, encoding: Encoding): number {
  const [, before, character, behind] = around as [string, string, string, string, string];
  const neighbours = [before, behind];
  if (halfWidthKana.test(character)) {
    const others = neighbours.filter((each) => isLetter.test(each) && !halfWidthKana.test(each));
    const isAlone = !neighbours.some((each) => halfWidthKana.test(each));
    return 6.5 + (strayMark.test(before + character) ? 8 : 0) + (isAlone ? 10 : 0) + others.length * 5;
  }
  return wideBitsAlone() + neighbours.filter((each) => /[a-z]/.test(each)).length * 3;

  function wideBitsAlone(): number {
    const rank = letters.indexOf(character);
    if (rank >= 0) return Math.log2(rank + 3) + 4;
    if (usualSymbol.test(character)) return 8;
    if (wideSymbol.test(character)) return 11;
    if (kana.test(character)) return encoding === 'shift_jis' || encoding === 'euc-jp' ? 6 : 15;
    // The frequent ones of Korean are all syllables; they are fewer than Chinese characters.
    if (wide.test(character)) return (isCommon ? 13 : 20) - (encoding === 'euc-kr' ? 2 : 0);
    if (halfWidthSign.test(character)) return neighbours.some((each) => wide.test(each)) ? 8 : 14;
    if (wideSign.test(character)) return 7;
    return ofPrivateUse.test(character) ? 24 : 16;
  }
}
