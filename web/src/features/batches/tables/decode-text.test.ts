import { describe, expect, it } from 'vitest';
import { decodeText, type Encoding, encodings } from './decode-text.ts';

/** Writes text in an encoding that browsers only read: each character as the bytes that are read as it. */
function encode(text: string, encoding: Encoding): Uint8Array {
  const decoder = new TextDecoder(encoding);
  const bytesOf = new Map<string, number[]>();
  for (let first = 0xff; first >= 0; first -= 1) {
    if (first >= 0x80) {
      for (let second = 0xfe; second >= 0x40; second -= 1) {
        const character = decoder.decode(Uint8Array.of(first, second));
        if ([...character].length === 1) bytesOf.set(character, [first, second]);
      }
    }
    bytesOf.set(decoder.decode(Uint8Array.of(first)), [first]);
  }
  return Uint8Array.from([...text].flatMap((character) => bytesOf.get(character)!));
}

it.each<[Encoding, string, string]>([
  ['windows-1251', 'ru', 'sku,name,photos,scene\nA,Кружка,a.jpg,On an oak table in soft daylight\n'],
  ['koi8-r', 'ru', 'sku,name\nA,Керамическая ваза для цветов\n'],
  ['shift_jis', 'ja', '商品番号,商品名,写真\nMUG-1,マグカップ,a.jpg\n'],
  ['shift_jis', 'ja', 'sku,name\nMUG-1,マグ\n'],
  ['euc-jp', 'ja', '商品番号,商品名,写真,背景\nMUG-1,マグカップ,a.jpg,木のテーブル\n'],
  ['gb18030', 'zh', 'sku,name,photos\nA,马克杯,a.jpg\n'],
  ['gb18030', 'en', '货号,商品名称,图片,场景\nA-1,陶瓷马克杯,a.jpg,橡木桌上\n'],
  ['big5', 'zh', '貨號,商品名稱\nA-1,陶瓷馬克杯橡木桌\n'],
  ['euc-kr', 'ko', 'sku,name\nA,도자기 머그컵\n'],
  ['windows-1252', 'de', 'sku;name\nA;Käsebrett für 5 €, größer als “vorher”\n'],
  ['windows-1252', 'en', 'sku;name\nA;Théière émaillée à fleurs\n'],
  ['macintosh', 'de', 'sku;name\nA;Käsebrett für groß\n'],
  ['macintosh', 'en', 'sku;name\nA;Théière émaillée à fleurs\n'],
  ['windows-1250', 'en', 'sku;name\nA;Kubek ceramiczny żółty, łyżka, świąteczny dębowy\n'],
  ['windows-1253', 'en', 'sku;name\nA;Κεραμική κούπα\n'],
  ['windows-1254', 'tr', 'sku;name\nA;Yeşil çaydanlık ışıklı ğ\n'],
  ['windows-1255', 'he', 'sku;name\nA;ספל קרמיקה\n'],
  ['windows-1256', 'ar', 'sku;name\nA;كوب سيراميك أزرق\n'],
])('a table in %s (seller: %s) is read as it was written', (encoding, language, text) => {
  expect(decodeText(encode(text, encoding), null, language)).toEqual({ text, encoding, isGuess: true });
});

describe('a table in which little says what encoding it is in', () => {
  it.each<[Encoding, string[], string]>([
    ['windows-1252', ['en', 'de', 'ja'], 'Men’s T-Shirt'],
    ['windows-1252', ['en', 'de', 'ja'], 'Kids’ mug'],
    ['windows-1252', ['en', 'de', 'ja'], 'Mug – blue'],
    ['windows-1252', ['en', 'de', 'ja', 'ru'], '20 €'],
    ['windows-1252', ['en', 'de', 'ja', 'ru'], '5 × 7 in'],
    ['windows-1252', ['en', 'de', 'zh'], '“Rustic” oak, ½ pint, Acme™'],
    ['windows-1252', ['fr', 'en'], 'L’œuf à la coque, N° 5'],
    ['windows-1252', ['es', 'en'], '¿Cuál? Muñeca'],
    ['macintosh', ['en', 'de'], 'Men’s T-Shirt – “Rustic”, 20 €'],
    ['macintosh', ['es', 'en'], 'Descripción del jarrón'],
    ['windows-1250', ['pl'], 'Koń'],
    ['windows-1251', ['ru', 'en'], 'Кружка «Лето», № 5, 10x15 см'],
    ['shift_jis', ['ja', 'en', 'zh'], '■限定■マグカップ'],
    ['shift_jis', ['ja', 'en', 'zh'], '①マグカップ,500円\nB,★お皿★'],
    ['shift_jis', ['ja', 'en', 'zh'], 'マグカップ（青）'],
    ['shift_jis', ['ja', 'en', 'zh', 'ru'], 'ﾏｸﾞｶｯﾌﾟ ﾎﾜｲﾄ'],
    ['euc-jp', ['ja', 'en', 'zh'], '■限定■マグカップ'],
    ['gb18030', ['zh-CN', 'en', 'ja'], '定制成 60 cm 颜色'],
    ['gb18030', ['zh-CN', 'en', 'ja'], '★热卖★【新品】杯子（白）'],
    ['big5', ['zh-TW', 'en', 'ja'], '【新品】杯子（白）兒童T恤'],
    ['euc-kr', ['ko', 'en', 'ja'], '★인기★ 머그컵（파랑）'],
  ])('%s for sellers of %j: %s', (encoding, languages, words) => {
    const text = `sku,name\nA,${words}\n`;
    for (const language of languages) {
      expect(decodeText(encode(text, encoding), null, language)).toEqual({ text, encoding, isGuess: true });
    }
  });

  it.each(['zh-CN', 'en'])(
    'Chinese words that are valid UTF-8 as well are not taken for it (seller: %s)',
    (language) => {
      const text = 'sku,name\nA,女式\n';
      const bytes = encode(text, 'gb18030');
      expect(new TextDecoder('utf-8', { fatal: true }).decode(bytes)).toContain('Ů');
      expect(decodeText(bytes, null, language)).toEqual({ text, encoding: 'gb18030', isGuess: true });
    },
  );

  it.each(['en', 'de', 'ru'])('one word in UTF-8 is no guess (seller: %s)', (language) => {
    for (const word of ['Käsebrett', 'Théière', 'Кружка', 'Κούπα', 'Kubek żółty', '£12.99', '杯']) {
      const text = `sku,name\nA,${word}\n`;
      expect(decodeText(Buffer.from(text), null, language)).toEqual({
        text,
        encoding: 'utf-8',
        isGuess: false,
      });
    }
  });
});

it.each<[Encoding, string]>([
  ['shift_jis', 'A,マグカップ\r'],
  ['gb18030', 'A,陶瓷马克杯\r'],
  ['windows-1252', 'A,Käsebrett für 5 €\r'],
])('a long table in %s whose lines end as those of old Macs is read by its beginning', (encoding, line) => {
  const text = `sku,name\r${line.repeat(6_000)}`;
  expect(decodeText(encode(text, encoding), null, 'en')).toEqual({ text, encoding, isGuess: true });
});

const text = 'sku;name\r\nA;Käse für 5 €';
const utf16 = Buffer.from(`\ufeff${text}`, 'utf16le');
it.each<[string, Uint8Array, Encoding]>([
  ['UTF-8', Buffer.from(text), 'utf-8'],
  ['UTF-8 with its mark', Buffer.from(`\ufeff${text}`), 'utf-8'],
  ['UTF-16', utf16, 'utf-16le'],
  ['UTF-16 of the other byte order', Buffer.from(utf16).swap16(), 'utf-16be'],
  ['UTF-16 without its mark', utf16.subarray(2), 'utf-16le'],
])('%s is no guess', (_, bytes, encoding) => {
  expect(decodeText(bytes, null, 'en')).toEqual({ text, encoding, isGuess: false });
});

it('the seller may choose another encoding', () => {
  const bytes = encode('A;Кружка', 'windows-1251');
  expect(decodeText(bytes, 'windows-1251', 'en')).toMatchObject({ text: 'A;Кружка', isGuess: false });
});

it.each(Object.keys(encodings) as Encoding[])('ASCII is the same in %s', (encoding) => {
  if (encoding.startsWith('utf-16')) return;
  expect(decodeText(Buffer.from('sku,name\nA,Mug'), encoding, 'en')?.text).toBe('sku,name\nA,Mug');
});

it('pictures are no text', () => {
  expect(
    decodeText(Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13]), null, 'en'),
  ).toBeNull();
});
