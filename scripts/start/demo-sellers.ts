/** The sellers that a developer signs in as. */
import type { PlanId } from '#contract';
import { demoAddresses } from '#shared/platform/production.ts';

export interface SellerDetails {
  readonly email: string;
  readonly password: string;
  readonly fullName: string;
  readonly plan: PlanId;
}

export const demoSeller: SellerDetails = {
  email: demoAddresses[0],
  password: 'Walnut-Table-1',
  fullName: 'Demo Seller',
  plan: 'freelance',
};

/** A second seller, on the plan without a limit. */
export const enterpriseSeller: SellerDetails = {
  email: demoAddresses[1],
  password: 'Walnut-Table-1',
  fullName: 'Studio Seller',
  plan: 'enterprise',
};
