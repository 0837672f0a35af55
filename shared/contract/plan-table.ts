import { limits } from './limits.ts';

/** A line of a plan card (docs/decisions/0037-plan-cards-say-what-exists.md). */
export interface PlanFeature {
  readonly name: string;
  /** What it is today. */
  readonly detail: string;
  /** The section of a guide about it. */
  readonly guide: string;
}

export interface PlanDefinition {
  readonly name: string;
  /** Price in US cents a month. */
  readonly monthlyPriceCents: number;
  /** Images per month; null means unlimited. */
  readonly monthlyGenerations: number | null;
  /** Whether its images go before those of other plans (docs/decisions/0073-fair-order.md). */
  readonly goesFirst: boolean;
  readonly features: readonly PlanFeature[];
}

const guide = (section: string) => `/documentation/plans-and-balance#${section}`;

/** The plans that the product sells, by id. A new plan is a new entry here and a price at Stripe (`npm run stripe:setup`). */
export const planTable = {
  freelance: {
    name: 'Freelance',
    monthlyPriceCents: 5_000,
    monthlyGenerations: 100,
    goesFirst: false,
    features: [
      {
        name: '100 AI image generations',
        detail: 'In each paid month; unused ones expire',
        guide: guide('image-generations'),
      },
      {
        name: 'High-quality output',
        detail: `PNG with ${limits.outputWidth} × ${limits.outputHeight} pixels`,
        guide: guide('output-quality'),
      },
      {
        name: 'Basic editing tools',
        detail: 'Crop, turn, straighten, correct colours, pure white background',
        guide: guide('editing'),
      },
    ],
  },
  enterprise: {
    name: 'Enterprise',
    monthlyPriceCents: 19_900,
    monthlyGenerations: null,
    goesFirst: true,
    features: [
      { name: 'Unlimited generations', detail: 'Within fair use', guide: guide('fair-use') },
      {
        name: 'Priority processing',
        detail: 'Four of every five places in line',
        guide: guide('priority-processing'),
      },
      {
        name: 'Advanced editing tools',
        detail: 'Mark an area and say what should be there; images of 2048 × 2048',
        guide: guide('editing'),
      },
      {
        name: 'Dedicated support',
        detail: 'Your messages are marked and answered first',
        guide: guide('support'),
      },
    ],
  },
} as const satisfies Record<string, PlanDefinition>;

export type PlanId = keyof typeof planTable;

/** The plan that is selected until the seller selects another one. */
export const defaultPlan: PlanId = 'freelance';
