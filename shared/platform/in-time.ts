/**
 * Waits for the answer of a store that may never come: while the queue is away, its client waits for it.
 * @param ms how long at most
 * @throws what the store throws, or an Error when it does not answer in time
 */
export async function inTime<Answer>(answer: Promise<Answer>, ms: number): Promise<Answer> {
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`It did not answer within ${ms / 1_000} s.`)), ms).unref();
  try {
    return await Promise.race([answer, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
