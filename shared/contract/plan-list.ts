import { type PlanDefinition, type PlanId, planTable } from './plan-table.ts';

export const planIds = Object.keys(planTable) as PlanId[];

export interface Plan extends PlanDefinition {}
export const plans: Readonly<Record<PlanId, Plan>> = planTable;
