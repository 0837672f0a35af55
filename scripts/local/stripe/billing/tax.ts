/** Tax as Stripe Tax computes it, by a table of rates: for each line, rounded to the smallest unit of the currency. */
import { type Core, newId } from '../core/core.ts';
import { invalidRequest } from '../errors.ts';
import type { Tax, TaxId } from '../invoice-objects.ts';
import type { Price, Subscription } from '../objects.ts';

/** The standard rates of VAT in the EU, in tenths of a percent. */
const euRates: Readonly<Record<string, number>> = {
  AT: 200,
  BE: 210,
  BG: 200,
  CY: 190,
  CZ: 210,
  DE: 190,
  DK: 250,
  EE: 240,
  ES: 210,
  FI: 255,
  FR: 200,
  GR: 240,
  HR: 250,
  HU: 270,
  IE: 230,
  IT: 220,
  LT: 210,
  LU: 170,
  LV: 210,
  MT: 180,
  NL: 210,
  PL: 230,
  PT: 230,
  RO: 210,
  SE: 250,
  SI: 220,
  SK: 230,
};
/** All countries where the merchant collects tax. It has no place of business in any of them. */
const rates: Readonly<Record<string, number>> = { ...euRates, CH: 81, GB: 200, NO: 250 };

/** Where a customer is, as far as tax is concerned. */
interface TaxLocation {
  /** Such as `DE`; undefined without an address. */
  country: string | undefined;
  /** Whether it is a business with a VAT ID. */
  hasVatId: boolean;
}

/** @param amount in the smallest unit, after discounts; that of a credit is negative */
export function taxOn(
  { country, hasVatId }: TaxLocation,
  amount: number,
  tax_behavior: Tax['tax_behavior'],
): Tax {
  const tax = { tax_behavior, type: 'tax_rate_details' } as const;
  const rate = country === undefined ? undefined : rates[country];
  if (country === undefined || rate === undefined) {
    return {
      ...tax,
      amount: 0,
      tax_rate_details: null,
      taxability_reason: 'not_collecting',
      taxable_amount: 0,
    };
  }
  const tax_rate_details = { tax_rate: `txr_${country.toLowerCase()}_${rate}` };
  if (hasVatId && country in euRates) {
    return {
      ...tax,
      amount: 0,
      tax_rate_details,
      taxability_reason: 'reverse_charge',
      taxable_amount: amount,
    };
  }
  const share = rate / (tax_behavior === 'exclusive' ? 1_000 : 1_000 + rate);
  return {
    ...tax,
    amount: roundAwayFromZero(amount * share),
    tax_rate_details,
    taxability_reason: 'standard_rated',
    taxable_amount: amount,
  };
}

/** Rounds half a unit up for a debit, and down for its credit, so that the two cancel out. */
export function roundAwayFromZero(amount: number): number {
  return Math.sign(amount) * Math.round(Math.abs(amount)) + 0;
}

/** The tax on an amount of a subscription. @throws StripeApiError 400 when the price does not say whether tax is included */
export function taxesOf(
  core: Core,
  subscription: Pick<Subscription, 'automatic_tax' | 'customer'>,
  price: Price,
  amount: number,
): Tax[] {
  if (!subscription.automatic_tax.enabled) return [];
  if (price.tax_behavior === 'unspecified') {
    throw invalidRequest(`The price ${price.id} needs a tax_behavior for automatic tax.`, 'automatic_tax');
  }
  return [taxOn(locationOf(core, subscription.customer), amount, price.tax_behavior)];
}

function locationOf(core: Core, customer: string): TaxLocation {
  const { address } = core.getOrThrow('customer', customer);
  return { country: address?.country ?? undefined, hasVatId: taxIdsOf(core, customer).length > 0 };
}

/** @throws StripeApiError 400 for automatic tax of a customer without an address */
export function assertLocated(core: Core, { automatic_tax: tax, customer }: Subscription): void {
  if (!tax.enabled || locationOf(core, customer).country !== undefined) return;
  throw invalidRequest(
    "The customer's location isn't recognized. Set a valid customer address in order to automatically calculate tax.",
    undefined,
    'customer_tax_location_invalid',
  );
}

/** Whether the tax of a subscription's invoice is complete; null without automatic tax. */
export function taxStatus(
  core: Core,
  { automatic_tax: tax, customer }: Pick<Subscription, 'automatic_tax' | 'customer'>,
): 'complete' | 'requires_location_inputs' | null {
  if (!tax.enabled) return null;
  return locationOf(core, customer).country === undefined ? 'requires_location_inputs' : 'complete';
}

export const taxIdsOf = (core: Core, customer: string): TaxId[] => core.store.list('tax_id', { customer });

/** The countries with tax, for forms. */
export const taxedCountries: readonly string[] = Object.keys(rates).toSorted();

/** Saves a VAT ID. @throws StripeApiError 400 when it is malformed */
export function createTaxId(core: Core, customer: string, value: string): TaxId {
  core.getOrThrow('customer', customer, 'customer');
  const id = value.replaceAll(/[\s.-]/g, '').toUpperCase();
  const prefix = id.slice(0, 2);
  const country = prefix === 'EL' ? 'GR' : prefix;
  if (!/^[A-Z]{2}[0-9A-Z]{2,12}$/.test(id) || !(country in euRates)) {
    throw invalidRequest('Invalid value for eu_vat.', 'value', 'tax_id_invalid');
  }
  const known = taxIdsOf(core, customer).find((each) => each.value === id);
  if (known) return known;
  const taxId: TaxId = {
    id: newId('txi'),
    object: 'tax_id',
    country,
    created: core.now(),
    customer,
    type: 'eu_vat',
    value: id,
  };
  return core.create(taxId, 'customer.tax_id.created');
}
