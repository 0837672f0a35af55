/** Random sequences of operations on credits, for fast-check. */
import fc from 'fast-check';
import type { PlanId } from '#contract';
import { type Fault, faultKinds } from './faults.ts';

/** The third one has never paid, and none has got free images yet. */
export const sellers = [
  { plan: 'freelance', paid: true },
  { plan: 'enterprise', paid: true },
  { plan: 'freelance', paid: false },
] as const satisfies { plan: PlanId; paid: boolean }[];
/** The takes of each request that a seller may submit in one sequence. */
export const requestTakes = [1, 2, 3] as const;
/** Images that a seller starts with: fewer than all requests take, so that they run out, also within one request. */
export const startImages = 3;
/** Free images of each seller: too few for all requests as well. */
export const freeImages = 2;
/** Invoices that a seller may pay in one sequence. */
const invoices = 2;

/**
 * One operation of some process; `seller`, `request` and `grant` are indexes into the lists of the
 * sequence, `generation` one into the accepted generations of the seller and then their re-makes, modulo
 * their number.
 */
export type Operation = { fault: Fault | undefined; seller: number } & (
  | { kind: 'submit'; request: number }
  | { kind: 'claim'; generation: number; leaseMs: number }
  | { kind: 'decide'; generation: number; state: 'succeeded' | 'failed'; stale: boolean }
  | { kind: 'hand-back'; generation: number }
  | { kind: 'cancel'; generation: number; previewed: boolean; agreed: boolean }
  | { kind: 'settle'; generation: number }
  | { kind: 'remake'; generation: number }
  | { kind: 'delete'; generation: number }
  | { kind: 'grant'; grant: number; refunded: boolean }
  | { kind: 'plan-ends' }
  | { kind: 'support'; action: 'give' | 'take'; count: number }
  | { kind: 'confirm'; allowed: boolean }
  | { kind: 'upkeep' }
);

/** One fault at most steps, and none at some. @param most the last operation that may fail */
export const anyFault = (most: number) =>
  fc.option(fc.record({ kind: fc.constantFrom(...faultKinds), at: fc.nat(most) }), {
    nil: undefined,
    freq: 1,
  });

/** @param common fields of all kinds. @returns makes one kind of step, with its weight among the others, for `fc.oneof` */
export const weightedKind =
  (common: object) =>
  <Rest extends object>(
    weight: number,
    kind: string,
    rest: { [Key in keyof Rest]: fc.Arbitrary<Rest[Key]> },
  ) => ({
    weight,
    arbitrary: fc.record({ kind: fc.constant(kind), ...common, ...rest }) as fc.Arbitrary<never>,
  });

const fault = anyFault(6);
// The third one is the only one whose free images are used before a plan.
const seller = fc.constantFrom(0, 1, 2, 2);
const request = fc.nat(requestTakes.length - 1);
const generation = fc.nat(requestTakes.reduce((sum, takes) => sum + takes, 0) - 1);
const one = weightedKind({ seller, fault });
export const operation: fc.Arbitrary<Operation> = fc.oneof(
  one(5, 'submit', { request }),
  one(3, 'claim', { generation, leaseMs: fc.constantFrom(1, 60_000) }),
  one(8, 'decide', {
    generation,
    state: fc.constantFrom('succeeded' as const, 'succeeded' as const, 'failed' as const),
    stale: fc.boolean(),
  }),
  one(1, 'hand-back', { generation }),
  one(4, 'cancel', { generation, previewed: fc.constantFrom(true, true, false), agreed: fc.boolean() }),
  one(2, 'settle', { generation }),
  one(4, 'remake', { generation }),
  one(3, 'delete', { generation }),
  one(1, 'grant', { grant: fc.nat(invoices - 1), refunded: fc.constantFrom(false, false, true) }),
  one(1, 'plan-ends', {}),
  one(3, 'support', {
    action: fc.constantFrom('give' as const, 'take' as const),
    // Its number is its key as well, so that it is repeated now and then.
    count: fc.integer({ min: 1, max: 4 }),
  }),
  one(3, 'confirm', { allowed: fc.constantFrom(true, true, false) }),
  one(1, 'upkeep', {}),
);

const submitted = (seller: number, request: number) =>
  ({ kind: 'submit', seller, request, fault: undefined }) as const;
const made = (seller: number, generation: number) => ({ seller, generation, fault: undefined });

/** A sequence in which a generation reaches each of the ends and states, because random sequences may miss a rare one. */
export const everyEnd: Operation[][] = [
  [submitted(0, 0), submitted(0, 1)],
  [{ ...made(0, 0), kind: 'decide', state: 'succeeded', stale: false }],
  [{ ...made(0, 0), kind: 'remake' }],
  [{ ...made(0, 3), kind: 'decide', state: 'succeeded', stale: false }],
  [{ ...made(0, 1), kind: 'cancel', previewed: false, agreed: false }],
  [{ ...made(0, 2), kind: 'claim', leaseMs: 60_000 }],
  [submitted(1, 0), submitted(1, 1), submitted(1, 2)],
  [{ ...made(1, 0), kind: 'cancel', previewed: true, agreed: true }],
  [{ ...made(1, 2), kind: 'decide', state: 'failed', stale: false }],
  [{ ...made(1, 2), kind: 'delete' }],
  [{ kind: 'upkeep', seller: 1, fault: undefined }],
  [submitted(1, 0), submitted(1, 1)],
  [{ kind: 'confirm', seller: 2, allowed: true, fault: undefined }],
  [submitted(2, 1)],
  [{ ...made(2, 0), kind: 'decide', state: 'succeeded', stale: false }],
  [{ kind: 'grant', seller: 2, grant: 0, refunded: false, fault: undefined }],
  [{ ...made(2, 1), kind: 'cancel', previewed: false, agreed: false }],
  [{ kind: 'support', seller: 1, action: 'give', count: 2, fault: undefined }],
  [{ kind: 'support', seller: 1, action: 'take', count: 1, fault: undefined }],
  // One image of the plan and the two free ones.
  [{ kind: 'confirm', seller: 0, allowed: true, fault: undefined }],
  [submitted(0, 2)],
];
