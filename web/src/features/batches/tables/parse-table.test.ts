import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limits } from '#contract';
import { workbook } from '#tests/support/workbook.ts';
import { sampleTable } from '../sample-table.ts';
import { emptyCells, type RowCells } from '../table-row.ts';
import type { Field } from './known-columns.ts';
import { headerOf, knownFields, parseTable, unparseTable } from './parse-table.ts';
import { nothingChosen, readSource, TableFault } from './source-table.ts';

const seed = Math.floor(Math.random() * 2 ** 31);

/** Reads a table whose columns are named; those that are not known are left out. */
async function read(source: string | File) {
  const table = await readSource(source, nothingChosen);
  const fields = knownFields(table);
  const { rows, hints } = parseTable(
    table,
    fields.map((field) => field ?? 'leave-out'),
  );
  return { rows, hints, unknown: headerOf(table).filter((_, index) => fields[index] === null), table };
}
const rowsOf = async (source: string | File) => (await read(source)).rows;
const a = (cells: Partial<RowCells>) => ({ ...emptyCells, ...cells });

const file = async (name: string) =>
  new File(
    [await readFile(new URL(`../../../../../tests/support/table-cases/${name}`, import.meta.url))],
    name,
  );

describe('a table', () => {
  it('may have its columns in any order, in upper or lower case, and lack some of them', async () => {
    expect(await rowsOf('Scene,SKU,Photos\nOn oak,A-1,a.jpg;b.jpg')).toEqual([
      a({ scene: 'On oak', sku: 'A-1', photos: ['a.jpg', 'b.jpg'] }),
    ]);
  });

  it.each([
    ['commas', 'sku,photos,scene\nA,"a.jpg;b.jpg","On oak, in the sun"'],
    ['semicolons', 'sku;photos;scene\nA;a.jpg,b.jpg;On oak, in the sun'],
    ['tabs, as it is pasted', 'sku\tphotos\tscene\nA\ta.jpg|b.jpg\tOn oak, in the sun'],
    ['vertical bars', 'sku|photos|scene\nA|a.jpg,b.jpg|On oak, in the sun'],
    [
      'the line that tells Excel the delimiter',
      'sep=;\r\nsku;photos;scene\r\nA;a.jpg,b.jpg;On oak, in the sun\r\n',
    ],
    ['a byte order mark', '\ufeffsku,photo1,photo2,scene\nA,a.jpg,b.jpg,"On oak, in the sun"'],
  ])('may have %s', async (_, text) => {
    expect(await read(text)).toMatchObject({
      rows: [a({ sku: 'A', photos: ['a.jpg', 'b.jpg'], scene: 'On oak, in the sun' })],
      hints: [],
      unknown: [],
    });
  });

  it('may have quoted line breaks, and empty lines', async () => {
    const rows = await rowsOf('sku,scene\r\n\r\nA,"On oak\r\nin the sun"\r\n,\r\nB,"say ""hi"""\r\n');
    expect(rows.map(({ scene }) => scene)).toEqual(['On oak\nin the sun', 'say "hi"']);
  });

  it.each([
    ['https://x.example/c_fill,w_400/a.jpg', ['https://x.example/c_fill,w_400/a.jpg']],
    [
      'https://x.example/a.jpg,https://x.example/b;c.jpg, d.jpg',
      ['https://x.example/a.jpg', 'https://x.example/b;c.jpg', 'd.jpg'],
    ],
    [
      'mug, blue.jpg | https://x.example/a|b.png?v=1;w=2',
      ['mug, blue.jpg', 'https://x.example/a|b.png?v=1;w=2'],
    ],
    ['HTTP://x.example/a.jpg https://x.example/b', ['HTTP://x.example/a.jpg', 'https://x.example/b']],
    ['["https://x.example/a,b.jpg", "c.jpg"]', ['https://x.example/a,b.jpg', 'c.jpg']],
    ["['https://x.example/a.jpg']", ['https://x.example/a.jpg']],
    ['[]', []],
    ['[a].jpg', ['[a].jpg']],
  ])('%s are the photos %j', async (cell, photos) => {
    expect(await rowsOf(`sku\tphotos\nA\t${cell}`)).toEqual([a({ sku: 'A', photos })]);
  });

  it('keeps formulas as text', async () => {
    const formula = `=cmd|' /C calc'!A0`;
    expect(await rowsOf(`sku,name,scene\n"${formula}",@SUM(1),-1+1`)).toEqual([
      a({ sku: formula, name: '@SUM(1)', scene: '-1+1' }),
    ]);
  });

  it('names columns that it does not know, and lines with too many cells', async () => {
    const { unknown, hints } = await read('sku,mood,scene,aisle\nA,1,On oak, in the sun,5');
    expect(unknown).toEqual(['mood', 'aisle']);
    expect(hints).toEqual([
      'More cells than columns in line 2: put texts that contain the separator in quotation marks.',
    ]);
  });

  it('may have titles above the names of its columns, whose line is said', async () => {
    const { rows, hints } = await read('Price list,,,\n\nsku,name,photos,scene\nA,Mug,a.jpg,On oak');
    expect(rows).toEqual([a({ sku: 'A', name: 'Mug', photos: ['a.jpg'], scene: 'On oak' })]);
    expect(hints).toEqual(['The names of the columns are in line 3. What stands above it was left out.']);
  });

  it('names each photo once, and the first 4 of a product are used', async () => {
    const { rows, hints } = await read('sku,photos,image 2\nA,a;b;c;d;e,f\nB,a;b,a');
    expect(rows.map(({ photos }) => photos)).toEqual([
      ['a', 'b', 'c', 'd'],
      ['a', 'b'],
    ]);
    expect(hints).toEqual(['1 product has more than 4 photos: the first 4 are used.']);
  });

  it('has at most 500 products', async () => {
    const rows = (count: number) => `sku\n${'A\n'.repeat(count)}`;
    expect(await rowsOf(rows(limits.batchRows))).toHaveLength(500);
    await expect(rowsOf(rows(limits.batchRows + 1))).rejects.toThrow(
      new TableFault('This table has 501 products. One batch can have 500: please split it.'),
    );
    await expect(rowsOf(rows(limits.batchRows * 100 + 1))).rejects.toThrow(
      new TableFault('This table has 50,002 lines. One batch can have 500 products: please split it.'),
    );
  });

  it.each([
    ['', 'This table is empty.'],
    ['\ufeff \r\n', 'This table is empty.'],
    ['sku,name\n', 'There are no products below the first line.'],
    ['Mug,Oak\nVase,Oak', 'Choose which column is the SKU, the name, the photos or the scene.'],
  ])('%j is refused in words', async (text, message) => {
    await expect(rowsOf(text)).rejects.toThrow(new TableFault(message));
  });

  it('that can be downloaded as a sample is read without a hint', async () => {
    const { rows, hints, unknown } = await read(sampleTable());
    expect([hints, unknown]).toEqual([[], []]);
    expect(rows).toHaveLength(3);
  });

  it('without names of columns is read as the seller says', async () => {
    const table = await readSource('A-1\tMug\tOn oak\nA-2\tVase\tOn slate', nothingChosen);
    expect(headerOf(table)).toEqual(['Column 1', 'Column 2', 'Column 3']);
    expect(parseTable(table, ['sku', 'name', 'scene']).rows).toEqual([
      a({ sku: 'A-1', name: 'Mug', scene: 'On oak' }),
      a({ sku: 'A-2', name: 'Vase', scene: 'On slate' }),
    ]);
  });
});

describe('the names of the columns are in', () => {
  it.each([
    ['Bezeichnung;Preis;Farbe\nTasse;5;blau\nColor Block Vase;9;bunt\nKrug;7;grün', 1],
    ['Name;Menge\nMug;1\nFile;1\nVase;2', 1],
    ['Product;Menge\nSoap;9\nConditioner;9\nComb;7', 1],
    [`${'sku, name and photos of all products'.repeat(2)},scene\nid,title,image\n7,Mug,a.jpg`, 2],
    ['Handle,Title,Image Src,Variant SKU,Prompt\nflag,Image,Title,A,On oak', 1],
    // Names that are not known.
    ['Kod;Malzeme;Resimler;Fiyat\nA;Ahşap;a.jpg;5', 1],
    ['Fiyat listesi;;\nKod;Malzeme;Fiyat\nA;Ahşap;5', 2],
    ['Kod;Malzeme;Fiyat\nA;File;5', 1],
    // No names: the same words twice, numbers or photos in the first line, or nothing that tells them from products.
    ['Mug;Mug;5\nVase;Vase;6', null],
    ['Mug;Oak;5\nVase;Slate;6', null],
    ['Mug;a.jpg\nVase;b.jpg', null],
    ['A-1;Mug;On oak\nA-2;Vase;On slate', null],
  ])('%j: line %s', async (text, line) => {
    const { lines, headerLine } = await readSource(text, nothingChosen);
    expect(headerLine === null ? null : lines[headerLine]!.number).toBe(line);
  });
});

describe('a column whose name may mean several things', () => {
  it.each<[string, Field | null]>([
    ['size\nportrait\n4:5\nM', 'size'],
    ['size\nM\nXL', 'leave-out'],
    // Beside the number of images it is the size of images, whose mistakes are said.
    ['size,takes\nsqare,2', 'size'],
    ['Size (product.metafields.shopify.size)\nsquare', 'leave-out'],
    ['variations\n2\n4', 'takes'],
    ['variations\n"Red, Blue"\nGreen', 'leave-out'],
    ['Background\nOn dark slate in the sun', 'scene'],
    ['Background\nLight blue\nRed', null],
    ['Setting\nBezel', null],
  ])('%j', async (text, field) => {
    const table = await readSource(`name,${text.replaceAll('\n', '\nMug,')}`, nothingChosen);
    expect(knownFields(table)[1]).toBe(field);
  });
});

describe('a stray quotation mark', () => {
  it.each([
    ['in the middle of a cell', 'sku,scene\nA,"Rustic" oak\nB,On oak', 'Rustic', 2],
    ['that is not closed', 'sku,scene\nA,On oak\nB,"On slate\nC,On oak\nD,On oak', 'On slate', 3],
    ['in the last line', 'sku,scene\nA,On oak\nB,"On slate', 'On slate', 3],
  ])('%s costs its line and not the others', async (_, text, words, line) => {
    const { rows, hints } = await read(text);
    expect(rows.map(({ sku }) => sku)).toEqual(text.match(/^[A-Z](?=,)/gm));
    expect(rows.some(({ scene }) => scene.includes(words))).toBe(true);
    expect(hints).toEqual([
      `A quotation mark is not closed in line ${line}: its cells may be cut wrongly. Please look at it.`,
    ]);
  });

  it('inside of a cell that does not begin with one is text', async () => {
    const { rows, hints } = await read('sku,name\nA,Screen 27" wide\nB,Mug');
    expect(rows.map(({ name }) => name)).toEqual(['Screen 27" wide', 'Mug']);
    expect(hints).toEqual([]);
  });
});

describe('columns of other programs are known', () => {
  it('Shopify: all lines of a handle are one product', async () => {
    const header =
      'Handle,Title,Body (HTML),Vendor,Variant SKU,Variant Price,Image Src,Image Position,Variant Image';
    const { rows, hints, unknown } = await read(
      [
        header,
        'mug,Stoneware mug,<p>x</p>,Case,MUG-1,12.00,https://cdn.example/a.jpg,1,https://cdn.example/c.jpg',
        'mug,,,,,,https://cdn.example/b.jpg,2,',
        'vase,Vase,<p>x</p>,Case,,12.00,https://cdn.example/d.jpg,1,',
        'mug,,,,MUG-2,12.00,,,https://cdn.example/a.jpg',
      ].join('\n'),
    );
    expect(unknown).toEqual([]);
    expect(rows).toEqual([
      a({
        sku: 'MUG-1',
        name: 'Stoneware mug',
        photos: ['https://cdn.example/a.jpg', 'https://cdn.example/b.jpg', 'https://cdn.example/c.jpg'],
      }),
      a({ sku: 'vase', name: 'Vase', photos: ['https://cdn.example/d.jpg'] }),
    ]);
    expect(hints).toEqual([
      '1 variant is joined with its product: a product has the SKU of its first variant.',
    ]);
  });

  it('Shopify: a long handle is cut where it stands for a SKU, and each scene has its row', async () => {
    const handle = 'mug-'.repeat(40);
    const rows = await rowsOf(
      `Handle,Title,Image Src,Prompt\n${handle},Mug,a.jpg,On oak\n${handle},,b.jpg,\n${handle},,c.jpg,On slate`,
    );
    const sku = handle.slice(0, limits.skuCharacters);
    expect(rows).toEqual([
      a({ sku, name: 'Mug', photos: ['a.jpg', 'b.jpg', 'c.jpg'], scene: 'On oak' }),
      a({ sku, name: 'Mug', photos: ['c.jpg', 'a.jpg', 'b.jpg'], scene: 'On slate' }),
    ]);
  });

  it('Wix: thousands of lines with variants are the products that they belong to', async () => {
    const lines = Array.from({ length: 400 }, (_, product) => [
      `p${product},Product,Mug,https://x.example/${product}.jpg,A-${product}`,
      ...Array.from({ length: 10 }, (_, variant) => `p${product},Variant,,,A-${product}-${variant}`),
    ]).flat();
    const { rows, unknown } = await read(`handleId,fieldType,name,productImageUrl,sku\n${lines.join('\n')}`);
    expect(unknown).toEqual([]);
    expect(rows).toHaveLength(400);
    expect(rows[399]).toEqual(a({ sku: 'A-399', name: 'Mug', photos: ['https://x.example/399.jpg'] }));
  });

  it('Wix: the ids of pictures are addresses; in its newer tables each picture has a line of its own', async () => {
    const id = (digit: number) => `c837a6_${`${digit}`.repeat(32)}`;
    const at = (name: string) => `https://static.wixstatic.com/media/${name}`;
    const [old, made, stock] = [
      `${id(1)}.png`,
      `${id(2)}~mv2_d_1200_1600_s_2.jpg`,
      `nsplsh_${'7a'.repeat(11)}~mv2.jpg`,
    ];
    expect(
      await rowsOf(
        `handleId,fieldType,name,productImageUrl\np1,Product,Mug,${old};${made}\np2,Product,Jug,"${stock};jug_1.jpg"`,
      ),
    ).toEqual([
      a({ sku: 'p1', name: 'Mug', photos: [at(old), at(made)] }),
      a({ sku: 'p2', name: 'Jug', photos: [at(stock), 'jug_1.jpg'] }),
    ]);
    const { rows, unknown } = await read(
      [
        'handle,fieldType,name,visible,plainDescription,media,mediaAltText,ribbon,brand,price,strikethroughPrice,baseUnit,' +
          'baseUnitMeasurement,totalUnits,totalUnitsMeasurement,cost,inventory,preOrderEnabled,preOrderMessage,preOrderLimit,' +
          'sku,barcode,weight,productOptionName1,productOptionType1,productOptionChoices1,modifierName1,modifierType1,' +
          'modifierCharLimit1,modifierMandatory1,modifierDescription1',
        `mug,PRODUCT,Mug,TRUE,,wix:image://v1/${made}/mug.jpg#originWidth=1200&originHeight=1600,,,,9,,,,,,,,,,,M-1`,
        `mug,MEDIA,,,,${at(old)}`,
      ].join('\n'),
    );
    expect(unknown).toEqual([]);
    expect(rows).toEqual([a({ sku: 'M-1', name: 'Mug', photos: [at(made), at(old)] })]);
    // Of an artist.
    expect((await read('sku,media\nA-1,Oil on canvas\nA-2,Gouache')).unknown).toEqual(['media']);
  });

  it('Shopee: what its templates explain below the names is no product; variants are one', async () => {
    const text = [
      'ps_category|0|0,ps_product_name|1|0,ps_sku_parent_short|0|0,et_title_variation_integration_no|0|0,ps_sku_short|0|0,' +
        'ps_item_cover_image|0|3,ps_item_image_1|0|3,ps_weight|1|1,channel_id.90006|0|0',
      'basic,ac8e918724da5bc1abc868704cc72f1a,0,1841339598',
      'Categoria,Nome do Produto,SKU principal,Número de Integração de Variação,SKU da Variação,Imagem de capa,' +
        'Imagem do produto 1,Peso,Correios',
      'Opcional,Obrigatório,Opcional,Condicional obrigatório,Opcional,Opcional,Opcional,Obrigatório,Opcional',
      ',2 a 120 caracteres,,,,https://help.example/cover.jpg',
      ',Sem emojis',
      '101197,Mug,MUG,1,MUG-R,https://x.example/a.jpg,https://x.example/b.jpg,0.3,Ativar',
      '101197,Mug,MUG,1,MUG-B,https://x.example/a.jpg,,0.3,Ativar',
      '101197,Jug,JUG,,JUG,jug.jpg,,1,Ativar',
    ].join('\n');
    const sheets = {
      Guidance: [['How to']],
      Template: text.split('\n').map((line) => line.split(',')),
    };
    const products = [
      a({ sku: 'MUG', name: 'Mug', photos: ['https://x.example/a.jpg', 'https://x.example/b.jpg'] }),
      a({ sku: 'JUG', name: 'Jug', photos: ['jug.jpg'] }),
    ];
    for (const source of [text, new File([workbook(sheets)], 'shopee.xlsx')]) {
      const { rows, unknown } = await read(source);
      expect(unknown).toEqual([]);
      expect(rows).toEqual(products);
    }
    expect(
      await rowsOf(
        [
          'et_title_product_id,et_title_parent_sku,et_title_product_name,ps_item_cover_image,ps_item_image.1',
          'media_info,35b74571,0,231505269,',
          'รหัสสินค้า,Parent SKU,ชื่อสินค้า,ภาพปก,ภาพที่ 1',
          ',,,จำเป็นต้องกรอก,',
          ',,,,',
          ',,,,',
          '57952761129,MUG,Mug,https://x.example/a.jpg,https://x.example/b.jpg',
        ].join('\n'),
      ),
    ).toEqual([products[0]]);
  });

  it('TikTok Shop: what its templates explain below the names is no product; variants are one', async () => {
    const { rows, unknown } = await read(
      [
        'product_id,category,product_name,product_status,sku_id,variation_value,seller_sku,parcel_weight,cod,main_image,image_2',
        'V4,All_Information,metric,,,,,,,,',
        ',,ชื่อสินค้า,,,,,,,,',
        'บังคับ,บังคับ,บังคับ,,,,,,,บังคับ,',
        'ไม่สามารถแก้ไขได้,,,,,,,,,,',
        '173655,Tools (882952),Mug,Active(1),17365501,Red,MUG-R,900,Yes,https://x.example/a.jpg,https://x.example/b.jpg',
        '173655,Tools (882952),Mug,Active(1),17365502,Blue,MUG-B,900,Yes,https://x.example/a.jpg,',
        '173698,Saws (883720),V4,Active(1),17369801,Default,SAW,150,Yes,https://x.example/c.jpg,',
      ].join('\n'),
    );
    expect(unknown).toEqual([]);
    expect(rows).toEqual([
      a({ sku: 'MUG-R', name: 'Mug', photos: ['https://x.example/a.jpg', 'https://x.example/b.jpg'] }),
      a({ sku: 'SAW', name: 'V4', photos: ['https://x.example/c.jpg'] }),
    ]);
  });

  it('a product that looks like the mark of a template is one', async () => {
    const photo = 'https://x.example/a.jpg';
    expect(
      await rowsOf(`product_name,seller_sku,main_image\nV4,mug,${photo}\nV5,jug,${photo}`),
    ).toMatchObject([
      { name: 'V4', sku: 'mug' },
      { name: 'V5', sku: 'jug' },
    ]);
    expect(await rowsOf('name,sku,photos\nmug,12345678,a.jpg\njug,12345679,b.jpg')).toHaveLength(2);
  });

  it('WooCommerce: variations belong to their parent, whose SKU or ID they name', async () => {
    const rows = await rowsOf(
      [
        'ID,Type,SKU,Name,Images,Parent',
        '1,variable,HOODIE,Hoodie,a.jpg,',
        '2,variable,,Cap,c.jpg,',
        '3,variation,HOODIE-RED,Hoodie - Red,b.jpg,HOODIE',
        '4,variation,CAP-RED,Cap - Red,,id:2',
        '5,simple,,Mug,m.jpg,',
        // Its parent is not in the table.
        '6,variation,VEST-RED,Vest - Red,v.jpg,VEST',
      ].join('\n'),
    );
    expect(rows).toEqual([
      a({ sku: 'HOODIE', name: 'Hoodie', photos: ['a.jpg', 'b.jpg'] }),
      a({ sku: 'CAP-RED', name: 'Cap', photos: ['c.jpg'] }),
      a({ name: 'Mug', photos: ['m.jpg'] }),
      a({ sku: 'VEST-RED', name: 'Vest - Red', photos: ['v.jpg'] }),
    ]);
  });

  it('Etsy: of the SKUs of all variations the first is used', async () => {
    const lines = ['"V-1,V-2",Candle', 'W-1,Wick'];
    const { rows, hints } = await read(`SKU,TITLE,VARIATION 1 TYPE\n${lines.join('\n')}`);
    expect(rows).toEqual([a({ sku: 'V-1', name: 'Candle' }), a({ sku: 'W-1', name: 'Wick' })]);
    expect(hints).toEqual(['1 product has several SKUs: the first is used.']);
    expect(await rowsOf(`SKU,TITLE\n${lines.join('\n')}`)).toMatchObject([
      { sku: 'V-1,V-2' },
      { sku: 'W-1' },
    ]);
  });

  it('Amazon: names for programs and an example below the names of the columns', async () => {
    const of = '[marketplace_id=A1]';
    const rows = await rowsOf(
      [
        'settings=attributeRow=5\t\t\t',
        'Listing Identity\t\tProduct Identity\tImages',
        'SKU\tProduct Type\tItem Name\tMain Image URL',
        `contribution_sku#1.value\tproduct_type#1.value\titem_name${of}#1.value\tmain_image${of}#1.media_location`,
        'ABC123\tMUG\tExample\thttps://x.example/example.jpg',
        'A-1\tMUG\tMug\thttps://x.example/a.jpg',
      ].join('\n'),
    );
    expect(rows).toEqual([a({ sku: 'A-1', name: 'Mug', photos: ['https://x.example/a.jpg'] })]);
    expect(await rowsOf('SKU,Item Name\nABC123,Mug')).toEqual([a({ sku: 'ABC123', name: 'Mug' })]);
  });

  it('Amazon: two lines above the products', async () => {
    const { rows, table } = await read(
      [
        'TemplateType=fptcustom\tVersion=2024.1\t\t\t',
        'Seller SKU\tProduct Name\tMain Image URL\tOther Image URL1\tProduct ID',
        'item_sku\titem_name\tmain_image_url\tother_image_url1\texternal_product_id',
        'A-1\tMug\thttps://img.example/a.jpg\thttps://img.example/b.jpg\t4006381333931',
      ].join('\n'),
    );
    expect(table).toMatchObject({ headerLine: 2, delimiter: '\t' });
    expect(rows).toEqual([
      a({ sku: 'A-1', name: 'Mug', photos: ['https://img.example/a.jpg', 'https://img.example/b.jpg'] }),
    ]);
  });

  it.each([
    [
      'Etsy',
      'TITLE,DESCRIPTION,PRICE,CURRENCY_CODE,QUANTITY,TAGS,MATERIALS,IMAGE1,IMAGE2,SKU\nMug,d,1,EUR,1,t,m,a.jpg,b.jpg,A-1',
    ],
    ['WooCommerce', 'ID,Type,SKU,Name,Published,Categories,Images\n1,simple,A-1,Mug,1,c,"a.jpg, b.jpg"'],
    ['plain words', 'Product name,Image,Prompt,Article number,Photo 2\nMug,a.jpg,,A-1,b.jpg'],
    ['German', 'Artikelnummer;Bezeichnung;Bild 1;Bild 2\nA-1;Mug;a.jpg;b.jpg'],
    ['Japanese', '商品番号,商品名,画像\nA-1,Mug,a.jpg;b.jpg'],
    ['Turkish', 'Stok Kodu;Ürün Adı;Görsel 1;Görsel 2\nA-1;Mug;a.jpg;b.jpg'],
    ['French WooCommerce', 'ID,UGS,Nom,Images\n1,A-1,Mug,"a.jpg, b.jpg"'],
    ['Russian WooCommerce', 'ID,Артикул,Имя,Изображения\n1,A-1,Mug,"a.jpg, b.jpg"'],
    ['German WooCommerce', 'ID,Artikelnummer,Name,Bilder\n1,A-1,Mug,"a.jpg, b.jpg"'],
    [
      'Magento',
      'sku,name,base_image,small_image,thumbnail_image,additional_images\nA-1,Mug,a.jpg,a-s.jpg,a-t.jpg,b.jpg',
    ],
    ['PrestaShop', 'Product ID;Name *;Reference #;"Image URLs (x,y,z...)"\n1;Mug;A-1;"a.jpg,b.jpg"'],
    [
      'BigCommerce',
      'Product ID,Product Name,Product Code/SKU,Product Image File - 1,Product Image File - 2\n7,Mug,A-1,a.jpg,b.jpg',
    ],
    ['Shopee', 'ps_product_name,ps_item_cover_image,ps_item_image_1,ps_sku_short\nMug,a.jpg,b.jpg,A-1'],
    ['Myntra', 'vendorSkuCode,productDisplayName,Front Image,Additional Image 1\nA-1,Mug,a.jpg,b.jpg'],
    ['Chinese Shopee', '主商品貨號,商品名稱,主商品圖片,商品圖片1\nA-1,Mug,a.jpg,b.jpg'],
    ['eBay', 'CustomLabel,*Title,PicURL,*ConditionID\nA-1,Mug,a.jpg|b.jpg,1000'],
    ['eBay drafts', 'Custom label (SKU),Title,Item photo URL\nA-1,Mug,a.jpg|b.jpg'],
    [
      'a feed',
      'id,title,availability,image_link,additional_image_link,google_product_category\nA-1,Mug,in stock,a.jpg,b.jpg,7',
    ],
    ['names of programs', 'sku,productName,imageUrl,altImage1,inStock\nA-1,Mug,a.jpg,b.jpg,1'],
  ])('%s', async (_, text) => {
    const { rows, unknown } = await read(text);
    expect(unknown).toEqual([]);
    expect(rows).toEqual([a({ sku: 'A-1', name: 'Mug', photos: ['a.jpg', 'b.jpg'] })]);
  });
});

it.each<[string, Partial<RowCells>[]]>([
  ['comma-in-photo-name.csv', [{ sku: 'MUG-1', photos: ['mug, blue.jpg'] }]],
  ['excel-scientific-gtin.csv', [{ sku: '4.00638E+12' }, { sku: '4.00638E+12' }]],
  ['full-width-takes.csv', [{ name: 'マグ', takes: '２' }, { takes: '٢' }]],
  ['macos-screenshot-names.csv', [{ sku: 'A' }]],
  ['quote-inside-cell.csv', [{ sku: 'A', scene: '"Rustic" oak table' }, { sku: 'B' }]],
  [
    'shopify-export.csv',
    [{ sku: 'MUG-1', photos: ['https://cdn.example.com/mug.jpg', 'https://cdn.example.com/mug-2.jpg'] }],
  ],
  ['title-row-above-header.csv', [{ sku: 'A', name: 'Mug', photos: ['a.jpg'] }]],
  ['windows-1251.csv', [{ sku: 'A', name: 'Кружка' }]],
])('%s is read as it is meant', async (name, rows) => {
  expect(await rowsOf(await file(name))).toMatchObject(rows);
});

it('the exports of shops have no column that is asked about', async () => {
  const shopify =
    'Title,URL handle,Description,Vendor,Product category,Type,Tags,Published on online store,Status,SKU,Barcode,' +
    'Option1 name,Option1 value,Option1 Linked To,Price,Compare-at price,Cost per item,Charge tax,Tax code,' +
    'Unit price total measure,Inventory tracker,Inventory quantity,Continue selling when out of stock,' +
    'Weight value (grams),Weight unit for display,Requires shipping,Fulfillment service,Product image URL,' +
    'Image position,Image alt text,Variant image URL,Gift card,SEO title,SEO description,' +
    'Color (product.metafields.shopify.color-pattern),Google Shopping / Google product category,' +
    'Included / United States,Price / International,Standardized Product Type,Custom Product Type';
  const wooCommerce =
    'ID,Type,SKU,"GTIN, UPC, EAN, or ISBN",Name,Published,Is featured?,Visibility in catalog,Short description,Description,' +
    'Date sale price starts,Date sale price ends,Tax status,Tax class,In stock?,Stock,Low stock amount,' +
    'Backorders allowed?,Sold individually?,Weight (kg),Length (cm),Width (cm),Height (cm),Allow customer reviews?,' +
    'Purchase note,Sale price,Regular price,Categories,Tags,Shipping class,Images,Download limit,Download expiry days,' +
    'Parent,Grouped products,Upsells,Cross-sells,External URL,Button text,Position,Brands,Attribute 1 name,' +
    'Attribute 1 value(s),Attribute 1 visible,Attribute 1 global,Meta: _wp_page_template';
  for (const header of [shopify, wooCommerce]) expect((await read(`${header}\nMug`)).unknown).toEqual([]);
});

it('a workbook is read, with numbers as they are', async () => {
  const zip = workbook({
    Products: [
      ['sku', 'name', 'takes'],
      ['4006381333931', 'Mug', '2'],
    ],
  });
  expect(await rowsOf(new File([zip], 'spring.xlsx'))).toEqual([
    a({ sku: '4006381333931', name: 'Mug', takes: '2' }),
  ]);
  await expect(rowsOf(new File([zip.subarray(0, 200)], 'cut.xlsx'))).rejects.toThrow(TableFault);
  const picture = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13]);
  await expect(rowsOf(new File([picture], 'a.csv'))).rejects.toThrow(
    new TableFault('This is not a table. Save yours as XLSX or CSV and try again.'),
  );
});

it('of a workbook the sheet is read that names most columns, or the one that is chosen', async () => {
  const products = [
    ['sku', 'name', 'photos'],
    ['A', 'Mug', 'a.jpg'],
  ];
  const read = (sheets: Parameters<typeof workbook>[0], sheet: string | null) =>
    readSource(new File([workbook(sheets)], 'spring.xlsm'), { ...nothingChosen, sheet });
  const instructions = [['How to fill in this file'], ['Photos', 'As addresses']];
  const sheets = { Empty: [], Instructions: instructions, Example: products, Template: products };
  expect(await read(sheets, null)).toMatchObject({
    sheet: 'Template',
    sheets: ['Instructions', 'Example', 'Template'],
    headerLine: 0,
  });
  expect(await read(sheets, 'Example')).toMatchObject({ sheet: 'Example' });
  const plain = [['Mug', 'Oak']];
  expect(await read({ One: plain, Two: plain }, null)).toMatchObject({ sheet: 'One' });
  await expect(read({ Empty: [] }, null)).rejects.toThrow(new TableFault('This table is empty.'));
});

it(`any table that is written is read the same (seed ${seed})`, async () => {
  const cell = fc
    .string({ unit: fc.constantFrom(...'aB7 ,;\t|"\'\n=+-@€ä😀\ufeff'), maxLength: 12 })
    .map((text) => text.trim());
  const photo = fc.string({ unit: fc.constantFrom(...'aB7 ."\'=-€ä'), minLength: 1, maxLength: 8 });
  const row: fc.Arbitrary<RowCells> = fc.record({
    // Lines without any text are left out.
    sku: fc.stringMatching(/^[A-Z0-9=@-]{1,8}$/),
    asin: cell,
    name: cell,
    photos: fc.uniqueArray(
      photo.map((name) => name.trim()).filter((name) => name !== ''),
      { maxLength: 4 },
    ),
    scene: cell,
    look: cell,
    template: cell,
    size: cell,
    takes: cell,
  });
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 8 }), async (rows) => {
      expect(await rowsOf(unparseTable(rows))).toEqual(rows);
    }),
    { seed, numRuns: 500 },
  );
});

it(`whatever is written as a table, it is read or refused in words (seed ${seed})`, async () => {
  const text = fc.string({ unit: fc.constantFrom(...'aB7,;\t|"\n\r =€ä', 'sku', 'name'), maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(text, async (content) => {
      const table = await readSource(content, nothingChosen).catch((error: unknown) => error);
      if (table instanceof TableFault) return;
      const { lines } = table as Awaited<ReturnType<typeof readSource>>;
      const numbers = lines.map(({ number }) => number);
      expect(numbers).toEqual([...new Set(numbers)].toSorted((one, other) => one - other));
      expect(numbers.at(-1)!).toBeLessThanOrEqual(content.split(/\r\n|\r|\n/).length);
    }),
    { seed, numRuns: 1_000 },
  );
});

it('every field can be chosen', async () => {
  const fields: Field[] = ['sku', 'asin', 'name', 'photos', 'scene', 'look', 'template', 'size', 'takes'];
  const table = await readSource('A,B000123456,Mug,a.jpg,On oak,Oak,T,square,2', nothingChosen);
  expect(parseTable(table, fields).rows).toEqual([
    {
      sku: 'A',
      asin: 'B000123456',
      name: 'Mug',
      photos: ['a.jpg'],
      scene: 'On oak',
      look: 'Oak',
      template: 'T',
      size: 'square',
      takes: '2',
    },
  ]);
});
