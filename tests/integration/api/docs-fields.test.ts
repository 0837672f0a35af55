/** What the API's document says of fields is what the server refuses, in words that programs in every language can read. */
import { expect } from 'vitest';
import { imageSizes, paths } from '#contract';
import { call } from '#tests/support/account.ts';
import { testWithSharedSeller } from '#tests/support/test.ts';

interface Json {
  $ref?: string;
  properties?: Record<string, Json>;
  not?: object;
  dependentRequired?: object;
  pattern?: string;
  enum?: unknown[];
}

interface Operation {
  parameters?: { name: string; schema: Json }[];
  requestBody?: { content: Record<string, { schema: Json }> };
  responses: Record<string, { content?: Record<string, { schema: Json; encoding?: object }> }>;
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Json> };
}

const test = testWithSharedSeller().extend('document', { scope: 'file' }, async ({ stack }) => {
  return (await (await fetch(`${stack.url + paths.docs}/json`)).json()) as Document;
});

/** Every value of a keyword in the document. */
function valuesOf(keyword: string, part: unknown): unknown[] {
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([key, value]) => [
    ...(key === keyword && typeof value === 'string' ? [value] : []),
    ...valuesOf(keyword, value),
  ]);
}

test('patterns have nothing that only some kinds of regular expressions have', ({ document }) => {
  const patterns = [...new Set(valuesOf('pattern', document) as string[])];
  expect(patterns.length).toBeGreaterThan(10);
  // Rust and Go have no lookaround and no backreferences, Python has no `\p`, Go has no `\u`.
  expect(patterns.filter((pattern) => /\(\?(?!:)|\\[pPuk1-9]/.test(pattern))).toEqual([]);
});

const bodyOf = (document: Document, path: string, method = 'post'): Json => {
  const { schema } = Object.values(document.paths[path]![method]!.requestBody!.content)[0]!;
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : document.components.schemas[name]!;
};
const parameterOf = (document: Document, path: string, name: string) =>
  document.paths[path]!.get!.parameters!.find((parameter) => parameter.name === name)!.schema;

/** Each with a text that the document and the server refuse, and one that both accept. */
const texts = [
  [paths.projects, 'name', 'bell \x07', 'Mugs \t2'],
  [paths.projects, 'name', ' \n', '\u00a0ü'],
  [paths.looks, 'name', '\ufffd', 'Oak'],
  [paths.looks, 'scene', '\x00', ' On oak\n'],
  [paths.looks, 'negativePrompt', 'a\x1f', ''],
  [paths.contact, 'message', '\t', 'Hello\r\nyou'],
  [paths.contact, 'name', '  ', '李'],
] as const;

test.for(texts)(
  'the text of %s, field %s',
  async ([path, field, refused, accepted], { document, seller }) => {
    const pattern = new RegExp(bodyOf(document, path).properties![field]!.pattern!);
    expect([pattern.test(refused), pattern.test(accepted)]).toEqual([false, true]);
    const others: Record<string, Record<string, unknown>> = {
      [paths.projects]: {},
      [paths.looks]: { name: 'Oak', scene: 'On oak' },
      [paths.contact]: { name: 'Ada', email: 'ada@example.com', subject: 'general', message: 'Hello' },
    };
    const send = (text: string) => call(seller, 'POST', path, { ...others[path], [field]: text });
    expect((await send(refused)).status).toBe(400);
    expect((await send(accepted)).status).toBeLessThan(300);
  },
);

test('the reply with a file and its check has both, by name', ({ document }) => {
  const { responses } = document.paths[paths.exportFile]!.get!;
  const { schema, encoding } = responses['200']!.content!['multipart/form-data']!;
  expect(schema).toEqual({
    type: 'object',
    required: ['check', 'file'],
    properties: {
      check: { $ref: '#/components/schemas/ExportCheck' },
      file: { type: 'string', format: 'binary' },
    },
  });
  expect(encoding).toEqual({ file: { contentType: 'image/png, image/jpeg, image/webp, image/avif' } });
});

test('lists in a query: the document has their items, their comma and their number', ({ document }) => {
  const presets = new RegExp(parameterOf(document, paths.exports, 'presets').pattern!);
  expect(
    ['original', 'ebay,amazon-main', `ebay,own-${'0'.repeat(24)}`].every((list) => presets.test(list)),
  ).toBe(true);
  expect(['', 'large', 'ebay,', 'ebay,large', 'own-x'].some((list) => presets.test(list))).toBe(false);
  const images = new RegExp(parameterOf(document, paths.exportChecks, 'images').pattern!);
  expect(['a', 'a,b,c,d', 'a,b,c,d,e', 'a,', ','].map((list) => images.test(list))).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});

test('fields that take one of some values say which', ({ document }) => {
  const plans = ['freelance', 'enterprise'];
  expect(bodyOf(document, paths.accounts).properties!.plan!.enum).toEqual(plans);
  const waiting = bodyOf(document, paths.generationRequest('{id}'), 'patch');
  for (const body of [bodyOf(document, paths.looks), waiting]) {
    for (const side of ['width', 'height'] as const)
      expect(body.properties![side]!.enum).toEqual([
        ...new Set(Object.values(imageSizes).map((size) => size[side])),
      ]);
  }
  expect(waiting.dependentRequired).toEqual({ width: ['height'], height: ['width'] });
});

test('a change has marks or a mask', ({ document }) => {
  expect(bodyOf(document, paths.changes('{id}')).not).toMatchObject({ required: ['marks', 'mask'] });
});

test('addresses, passwords, names and codes have their lengths', ({ document }) => {
  const { email, fullName, password } = bodyOf(document, paths.accounts).properties!;
  expect(email).toMatchObject({ format: 'email', maxLength: 254 });
  expect(fullName).toMatchObject({ minLength: 1, maxLength: 80 });
  expect(password).toMatchObject({ format: 'password', minLength: 8, maxLength: 128 });
  expect(bodyOf(document, paths.confirmTwoFactor).properties!.code).toMatchObject({
    minLength: 1,
    maxLength: 80,
  });
});
