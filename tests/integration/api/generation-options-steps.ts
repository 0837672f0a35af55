/** Shared by the tests of the options of a generation. */
import { expectError, expectNothingLeft } from '#tests/support/errors.ts';
import { testWithSharedSeller } from '#tests/support/test.ts';

export const test = testWithSharedSeller({ workers: 0 });

export type Fields = [name: string, value: string][];

type RefusedOptions = [what: string, fields: Fields, field: string];

/** Defines the tests that these options are refused and leave nothing. */
export function testRefusedOptions(refused: RefusedOptions[]): void {
  test.for(refused)('refused: %s', async ([, fields, field], { stack, seller }) => {
    expectError(await seller.send({ fields }), 'VALIDATION', { field });
    await expectNothingLeft(stack, seller.id);
  });
}
