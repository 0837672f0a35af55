import type { PlanId } from './plan-table.ts';

/** What only some plans have. */
const planGates = {
  /** Images of 2048 × 2048 pixels. */
  'resolution-2k': ['enterprise'],
  /** Changing only a marked area of an image. */
  brush: ['enterprise'],
} as const satisfies Record<string, readonly PlanId[]>;
export type GatedFeature = keyof typeof planGates;

/** Whether a seller may use a feature: the plan has it, and can generate at the moment. Free images alone do not. */
export function mayUse(
  feature: GatedFeature,
  { plan, canGenerate }: { plan: PlanId; canGenerate: boolean },
): boolean {
  const allowed: readonly PlanId[] = planGates[feature];
  return canGenerate && allowed.includes(plan);
}
