/** @throws when it is too late to buy something: the lease may expire before Stripe has answered */
export function assertBefore(deadline: Date): void {
  if (new Date() > deadline)
    throw new Error('Stripe was too slow: somebody else may be changing the plan by now');
}
