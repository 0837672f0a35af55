import { z } from 'zod';

/** The plans that the product sells (seed §9). */
export const planIds = ['freelance', 'enterprise'] as const;
export const planIdSchema = z.enum(planIds, { error: 'Invalid subscription plan' });
export type PlanId = z.infer<typeof planIdSchema>;

export interface Plan {
  readonly id: PlanId;
  readonly name: string;
  /** Price in US cents a month. */
  readonly monthlyPriceCents: number;
  /** Images that one month pays for; null means unlimited. */
  readonly monthlyGenerations: number | null;
  readonly features: readonly string[];
}

export const plans: Readonly<Record<PlanId, Plan>> = {
  freelance: {
    id: 'freelance',
    name: 'Freelance',
    monthlyPriceCents: 5_000,
    monthlyGenerations: 100,
    features: ['100 AI image generations', 'High-quality output', 'Basic editing tools'],
  },
  enterprise: {
    id: 'enterprise',
    name: 'Enterprise',
    monthlyPriceCents: 19_900,
    monthlyGenerations: null,
    features: ['Unlimited generations', 'Priority processing', 'Advanced editing tools', 'Dedicated support'],
  },
};

/** Stripe's subscription statuses, and `inactive` for a seller who never subscribed (seed §3). */
export const subscriptionStatuses = [
  'inactive',
  'active',
  'trialing',
  'past_due',
  'unpaid',
  'incomplete',
  'incomplete_expired',
  'paused',
  'canceled',
] as const;
export const subscriptionStatusSchema = z.enum(subscriptionStatuses);
export type SubscriptionStatus = z.infer<typeof subscriptionStatusSchema>;

/** The statuses in which a seller may generate. */
export const generatingStatuses: readonly SubscriptionStatus[] = ['active', 'trialing'];

export const subscriptionViewSchema = z.object({
  plan: planIdSchema,
  status: subscriptionStatusSchema,
  isActive: z.boolean(),
  /** True on a plan without a monthly number of images. */
  unlimited: z.boolean(),
  /** Images that can still be asked for: what is left minus what running generations hold; null when unlimited. */
  generationsLeft: z.number().int().nullable(),
  /** Images that generations under way have reserved. */
  generationsHeld: z.number().int(),
  /** Images that the plan gives a month; null when unlimited. */
  totalGenerations: z.number().int().nullable(),
  /** Grows by one with each change of the balance: a view with a smaller one is old. */
  revision: z.number().int(),
});
export type SubscriptionView = z.infer<typeof subscriptionViewSchema>;
