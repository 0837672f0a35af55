import { AppError } from '#shared/platform/errors.ts';

/**
 * Nobody decides on the balance of their own account, on who may sign in to it, or on its end: another operator can.
 * @throws AppError OPERATORS_ONLY
 */
export function assertNotOwn(operator: { id: string }, sellerId: string): void {
  if (operator.id !== sellerId) return;
  throw new AppError('OPERATORS_ONLY', {
    message: 'This is your own account. Another operator has to do this.',
  });
}
