import { strToU8, zipSync } from 'fflate';

/** A workbook as spreadsheets save it (XLSX). @param sheets the cells of each, by its name; at most 26 columns */
export function workbook(
  sheets: Readonly<Record<string, readonly (readonly string[])[]>>,
): Uint8Array<ArrayBuffer> {
  const names = Object.keys(sheets);
  const sheetData = (cells: readonly (readonly string[])[]) =>
    cells
      .map((line, row) => {
        const inner = line.map((text, column) => {
          const at = `${String.fromCharCode(65 + column)}${row + 1}`;
          return /^\d+$/.test(text)
            ? `<c r="${at}"><v>${text}</v></c>`
            : `<c r="${at}" t="inlineStr"><is><t>${text}</t></is></c>`;
        });
        return `<row r="${row + 1}">${inner.join('')}</row>`;
      })
      .join('');
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const packageRelationships = 'http://schemas.openxmlformats.org/package/2006/relationships';
  const listOf = (each: (name: string, number: number) => string) =>
    names.map((name, index) => each(name, index + 1)).join('');
  const files = {
    '[Content_Types].xml':
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>',
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}"><sheets>${listOf(
      (name, number) => `<sheet name="${name}" sheetId="${number}" r:id="r${number}"/>`,
    )}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${packageRelationships}">${listOf(
      (_, number) =>
        `<Relationship Id="r${number}" Type="${office}/worksheet" Target="worksheets/sheet${number}.xml"/>`,
    )}</Relationships>`,
    ...Object.fromEntries(
      Object.values(sheets).map((cells, index) => [
        `xl/worksheets/sheet${index + 1}.xml`,
        `<worksheet xmlns="${main}"><sheetData>${sheetData(cells)}</sheetData></worksheet>`,
      ]),
    ),
  };
  return zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])));
}
