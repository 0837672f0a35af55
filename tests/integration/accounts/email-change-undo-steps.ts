/** Shared by the tests of the link that undoes a change of address. */
import { expect } from 'vitest';
import { expectError } from '#tests/support/errors.ts';
import {
  changeAgain,
  completeChange,
  expectOwnerHasAccount,
  newTakeover,
  ownerPassword,
  test,
  undoChange,
  undoToken,
} from './takeover-steps.ts';

/** Defines the test of the undo links of two changes: one after the other in the first round, concurrently in the others. */
export function testUndoLinksOfTwoChanges(rounds: number): void {
  test('undoing a change invalidates the undo links of newer changes, also if both are used concurrently', async ({
    stack,
  }) => {
    for (let round = 0; round < rounds; round += 1) {
      const takeover = await newTakeover(stack);
      const { owner, thief, thiefAddress } = takeover;
      await completeChange(stack, takeover);
      await changeAgain(stack, thief);
      const [ownerToken, thiefToken] = [
        await undoToken(stack, owner.email),
        await undoToken(stack, thiefAddress),
      ];
      if (round === 0) {
        expect((await undoChange(stack, ownerToken)).status).toBe(204);
        expectError(await undoChange(stack, thiefToken, 'Thiefs-Horse-9'), 'TOKEN_INVALID');
      } else {
        const [first] = await Promise.all([
          undoChange(stack, ownerToken),
          undoChange(stack, thiefToken, 'Thiefs-Horse-9'),
        ]);
        expect(first.status).toBe(204);
      }
      await expectOwnerHasAccount(stack, takeover, ownerPassword);
    }
  });
}
