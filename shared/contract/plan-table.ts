export interface PlanDefinition {
  readonly name: string;
  /** Price in US cents a month. */
  readonly monthlyPriceCents: number;
  /** Images per month; null means unlimited. */
  readonly monthlyGenerations: number | null;
  /** Priority in the queue of a seller's first waiting generation, from 1; smaller goes first (docs/queue.md). */
  readonly firstPriority: number;
  readonly features: readonly string[];
}

/** The plans that the product sells, by id. A new plan is a new entry here and a price at Stripe (`npm run stripe:setup`). */
export const planTable = {
  freelance: {
    name: 'Freelance',
    monthlyPriceCents: 5_000,
    monthlyGenerations: 100,
    firstPriority: 10_000,
    features: ['100 AI image generations', 'High-quality output', 'Basic editing tools'],
  },
  enterprise: {
    name: 'Enterprise',
    monthlyPriceCents: 19_900,
    monthlyGenerations: null,
    firstPriority: 1,
    features: ['Unlimited generations', 'Priority processing', 'Advanced editing tools', 'Dedicated support'],
  },
} as const satisfies Record<string, PlanDefinition>;

/** The plan that is selected until the seller selects another one. */
export const defaultPlan: keyof typeof planTable = 'freelance';
