import { expect, it } from 'vitest';
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
