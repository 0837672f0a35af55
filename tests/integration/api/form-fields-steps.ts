/** Shared by the tests of text fields of the upload form. */
import { expect } from 'vitest';
import { type ErrorCode, type GenerationSet, paths } from '#contract';
import { expectError, expectNothingLeft } from '#tests/support/errors.ts';
import { photoPart, sendForm } from '#tests/support/form-parts.ts';
import { multipart, type Part } from '#tests/support/multipart.ts';
import { samplePhoto } from '#tests/support/photos.ts';
import { testWithSharedSeller } from '#tests/support/test.ts';

const test = testWithSharedSeller({ workers: 0 });

type Expected = { field?: string; message?: string };

type RefusedField = [what: string, parts: Part[], code: ErrorCode, expected?: Expected];

/** Defines the tests that these fields are refused, before and after the photo. */
export function testRefusedFields(refusedFields: RefusedField[]): void {
  test.for(refusedFields)('%s', async ([, parts, code, expected], { stack, seller }) => {
    const photo = photoPart(await samplePhoto());
    expectError(await sendForm(seller, multipart([...parts, photo])), code, expected);
    expectError(await sendForm(seller, multipart([photo, ...parts])), code, expected);
    await expectNothingLeft(stack, seller.id);
  });
}

type AcceptedField = [what: string, parts: Part[], prompt: string];

/** Defines the tests that these descriptions are accepted. */
export function testAcceptedFields(acceptedFields: AcceptedField[]): void {
  test.for(acceptedFields)('accepted: %s', async ([, parts, expected], { stack }) => {
    const other = await stack.seller();
    const form = multipart([...parts, photoPart(await samplePhoto())]);
    const answer = await other.request<GenerationSet>(paths.generations, { method: 'POST', ...form });
    expect(answer).toMatchObject({ status: 202, body: { generations: [{ prompt: expected }] } });
  });
}
