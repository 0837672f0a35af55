/** Shared by the tests of the upload form: forms and fields that are refused, and unusual ones that are accepted. */
import sharp from 'sharp';
import { expect } from 'vitest';
import { type ErrorCode, type GenerationSet, type GenerationView, paths } from '#contract';
import { expectError, expectNoStrayFile, expectNothingLeft } from '#tests/support/errors.ts';
import { fieldPart, photoPart, promptPart, sendForm } from '#tests/support/form-parts.ts';
import { multipart, type Part, type RawForm } from '#tests/support/multipart.ts';
import { samplePhoto } from '#tests/support/photos.ts';
import { testWithSharedSeller } from '#tests/support/test.ts';

export const test = testWithSharedSeller({ workers: 0 })
  // A seller whose requests are all refused.
  .extend('refused', { scope: 'file' }, ({ stack }) => stack.seller());

export function thousand(name: (index: number) => string): Part[] {
  return Array.from({ length: 1_000 }, (_, index) => ({ name: name(index), value: 'x' }));
}

export function truncated(form: RawForm, bytes: number): RawForm {
  return { ...form, body: form.body.subarray(0, form.body.length - bytes) };
}

type Expected = { field?: string; message?: string };

/** A form, or the parts of one. */
type FormOrParts = RawForm | Part[];
const formOf = (form: FormOrParts) => (Array.isArray(form) ? multipart(form) : form);

type RefusedForm = [what: string, form: (png: Buffer) => FormOrParts, code: ErrorCode, expected?: Expected];

/** Defines the tests that these forms are refused and leave nothing. */
export function testRefusedForms(refusedForms: RefusedForm[]): void {
  test.for(refusedForms)('%s', async ([, form, code, expected], { stack, refused: seller }) => {
    expectError(await sendForm(seller, formOf(form(await samplePhoto()))), code, expected);
    await expectNothingLeft(stack, seller.id);
  });
}

type AcceptedForm = [what: string, form: (png: Buffer) => FormOrParts | Promise<FormOrParts>];

/** Defines the tests that these forms are accepted, and only the pixels of their photos kept. */
export function testAcceptedForms(acceptedForms: AcceptedForm[]): void {
  test.for(acceptedForms)('accepted: %s', async ([, form], { stack, seller }) => {
    const answer = await sendForm(seller, formOf(await form(await samplePhoto())));
    const generation = { state: 'queued', prompt: 'On a table' };
    expect(answer).toMatchObject({ status: 202, body: { generations: [generation] } });
    const [{ photos }] = (answer.body as GenerationSet).generations as [GenerationView];
    // The photo is encoded again: only the pixels of the file are kept.
    const stored = Buffer.from(await (await seller.fetch(photos[0]!.url)).arrayBuffer());
    expect(await sharp(stored).metadata()).toMatchObject({ format: 'jpeg' });
    expect(stored.includes('PK')).toBe(false);
    expect(stored.length).toBeLessThan(2_000);
    await expectNoStrayFile(stack);
  });
}

type RefusedField = [what: string, parts: Part[], code: ErrorCode, expected?: Expected];

/** A field that is refused beside a valid description. @param expected of the error, if not only the name of the field */
export function invalidField(
  name: string,
  value: string | Buffer,
  { what = `${name} of "${value}"`, type, expected = { field: name } }: InvalidField = {},
): RefusedField {
  return [what, [promptPart, fieldPart(name, value, type)], 'VALIDATION', expected];
}
type InvalidField = { what?: string; type?: string; expected?: Expected };

/** Defines the tests that these fields are refused, before and after the photo. */
export function testRefusedFields(refusedFields: RefusedField[]): void {
  test.for(refusedFields)('%s', async ([, parts, code, expected], { stack, refused: seller }) => {
    const photo = photoPart(await samplePhoto());
    expectError(await sendForm(seller, multipart([...parts, photo])), code, expected);
    expectError(await sendForm(seller, multipart([photo, ...parts])), code, expected);
    await expectNothingLeft(stack, seller.id);
  });
}

type AcceptedPrompt = [what: string, part: Part, prompt: string];

/** Defines the tests that these descriptions are accepted. */
export function testAcceptedPrompts(acceptedPrompts: AcceptedPrompt[]): void {
  test.for(acceptedPrompts)('accepted: %s', async ([, part, expected], { stack }) => {
    const other = await stack.seller();
    const form = multipart([part, photoPart(await samplePhoto())]);
    const answer = await other.request<GenerationSet>(paths.generations, { method: 'POST', ...form });
    expect(answer).toMatchObject({ status: 202, body: { generations: [{ prompt: expected }] } });
  });
}
