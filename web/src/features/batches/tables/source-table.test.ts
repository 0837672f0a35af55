import { describe, expect, it } from 'vitest';
import { nothingChosen, readSource } from './source-table.ts';

const read = (text: string) => readSource(text, nothingChosen);

describe('reading a table with a stray quotation mark in every line', () => {
  const description = 'A long description of this product with several words in it. '.repeat(5);
  it.each<[string, (line: number) => string]>([
    ['closed in the middle of a cell', (line) => `A-${line},"Rustic" mug,a.jpg,${description}`],
    ['not closed', (line) => `A-${line},"Mug ${line},a.jpg,${description}`],
    ['closed in the next line each', () => 'a","b'],
  ])('%s: takes about as long as without', async (_, lineOf) => {
    const table = (line: typeof lineOf) =>
      `sku,name,photos,description\n${Array.from({ length: 1_960 }, (_line, index) => line(index + 2)).join('\n')}\n`;
    const plain = table((line) => `A-${line},"Mug ${line}",a.jpg,"${description}"`);
    const stray = table(lineOf);
    const times: { plain: number; stray: number }[] = [];
    for (let run = 0; run < 5; run += 1)
      times.push({ plain: await timeOf(plain), stray: await timeOf(stray) });
    const shortest = (which: 'plain' | 'stray') => Math.min(...times.map((each) => each[which]));
    // A hundred times as long if all lines behind it are read again for each.
    expect(shortest('stray') / shortest('plain')).toBeLessThan(25);
    const { lines } = await read(stray);
    expect(lines.slice(1).map(({ hasStrayQuote }) => hasStrayQuote)).toEqual(Array(1_960).fill(true));
    expect(lines.at(-1)!.number).toBe(1_961);
  });
});

async function timeOf(text: string): Promise<number> {
  const began = performance.now();
  await read(text);
  return performance.now() - began;
}

it.each<[string, string[]]>([
  ['A,"Mug, ""big""" ,a.jpg', ['A', 'Mug, "big"', 'a.jpg']],
  ['A,"Mug\nwith a lid",', ['A', 'Mug\nwith a lid', '']],
  ['A,"",5" wide', ['A', '', '5" wide']],
  ['A,"Mug"', ['A', 'Mug']],
])('quotation marks of %j enclose cells', async (line, cells) => {
  const { lines } = await read(`sku,name,photos\n${line}\nB,Vase,b.jpg`);
  expect(lines.map((each) => each.cells)).toEqual([['sku', 'name', 'photos'], cells, ['B', 'Vase', 'b.jpg']]);
  expect(lines.some(({ hasStrayQuote }) => hasStrayQuote)).toBe(false);
  expect(lines.at(-1)!.number).toBe(line.includes('\n') ? 4 : 3);
});

it('a stray quotation mark costs its line only, also where it stands behind a cell of several lines', async () => {
  const { lines } = await read('sku,name,photos\nA,"Mug\nwith a lid","a".jpg\nB,Vase,b.jpg\nC,"Jug",c.jpg');
  expect(lines.map(({ cells, number, hasStrayQuote }) => [number, hasStrayQuote, ...cells])).toEqual([
    [1, false, 'sku', 'name', 'photos'],
    [2, true, 'A', '"Mug'],
    [3, true, 'with a lid"', '"a".jpg'],
    [4, false, 'B', 'Vase', 'b.jpg'],
    [5, false, 'C', 'Jug', 'c.jpg'],
  ]);
});
