/**
 * A limit for a test on this machine: how long it waits at most. The process that starts the tests measures how slow the
 * machine is, and says so in TEST_MACHINE_FACTOR.
 * @param ms the limit on a fast machine
 */
export function limitMs(ms: number): number {
  return Math.ceil(ms * Number(process.env.TEST_MACHINE_FACTOR || 1));
}
