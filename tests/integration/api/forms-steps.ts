/** Shared by the tests of forms that are refused as a whole, and of unusual ones that are accepted. */
import sharp from 'sharp';
import { expect } from 'vitest';
import type { ErrorCode, GenerationSet, GenerationView } from '#contract';
import { expectError, expectNoStrayFile, expectNothingLeft } from '#tests/support/errors.ts';
import { sendForm } from '#tests/support/form-parts.ts';
import type { Part, RawForm } from '#tests/support/multipart.ts';
import { samplePhoto } from '#tests/support/photos.ts';
import { testWithSharedSeller } from '#tests/support/test.ts';

export const test = testWithSharedSeller({ workers: 0 });

export function thousand(name: (index: number) => string): Part[] {
  return Array.from({ length: 1_000 }, (_, index) => ({ name: name(index), value: 'x' }));
}

export function truncated(form: RawForm, bytes: number): RawForm {
  return { ...form, body: form.body.subarray(0, form.body.length - bytes) };
}

type RefusedForm = [
  what: string,
  form: (png: Buffer) => RawForm,
  code: ErrorCode,
  expected?: { field?: string; message?: string },
];

/** Defines the tests that these forms are refused and leave nothing. */
export function testRefusedForms(refusedForms: RefusedForm[]): void {
  test.for(refusedForms)('%s', async ([, form, code, expected], { stack, seller }) => {
    expectError(await sendForm(seller, form(await samplePhoto())), code, expected);
    await expectNothingLeft(stack, seller.id);
  });
}

type AcceptedForm = [what: string, form: (png: Buffer) => RawForm | Promise<RawForm>];

/** Defines the tests that these forms are accepted, and only the pixels of their photos kept. */
export function testAcceptedForms(acceptedForms: AcceptedForm[]): void {
  test.for(acceptedForms)('accepted: %s', async ([, form], { stack, seller }) => {
    const answer = await sendForm(seller, await form(await samplePhoto()));
    const generation = { state: 'queued', prompt: 'On a table' };
    expect(answer).toMatchObject({ status: 202, body: { generations: [generation] } });
    const [{ photos }] = (answer.body as GenerationSet).generations as [GenerationView];
    const kept = await fetch(stack.url + photos[0]!.url, {
      headers: { authorization: `Bearer ${seller.token}` },
    });
    // The photo is encoded again: only the pixels of the file are kept.
    const stored = Buffer.from(await kept.arrayBuffer());
    expect(await sharp(stored).metadata()).toMatchObject({ format: 'jpeg' });
    expect(stored.includes('PK')).toBe(false);
    expect(stored.length).toBeLessThan(2_000);
    await expectNoStrayFile(stack);
  });
}
