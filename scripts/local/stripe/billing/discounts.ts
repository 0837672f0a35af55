/** Coupons, and the discounts that they give a subscription. */
import { addMonths } from '../core/calendar.ts';
import { type Core, newId } from '../core/core.ts';
import { invalidRequest } from '../errors.ts';
import type { Coupon, Discount, DiscountAmount } from '../invoice-objects.ts';
import type { Subscription } from '../objects.ts';

/** Parameters of a coupon: exactly one of percent and amount. */
interface CouponParams {
  id?: string | undefined;
  name?: string | undefined;
  percent_off?: number | undefined;
  amount_off?: number | undefined;
  currency?: string | undefined;
  duration: 'forever' | 'once' | 'repeating';
  duration_in_months?: number | undefined;
}

/** @throws StripeApiError 400 when the id is taken, or the parameters do not go together */
export function createCoupon(core: Core, params: CouponParams): Coupon {
  const { percent_off = null, amount_off = null, duration_in_months = null, duration } = params;
  if ((percent_off === null) === (amount_off === null)) {
    throw invalidRequest(
      'A coupon takes off a percentage or an amount: exactly one of the two.',
      'percent_off',
    );
  }
  if ((amount_off === null) !== (params.currency === undefined)) {
    throw invalidRequest('An amount needs a currency, and a percentage has none.', 'currency');
  }
  if ((duration === 'repeating') !== (duration_in_months !== null)) {
    throw invalidRequest('duration_in_months is for repeating coupons.', 'duration_in_months');
  }
  const id = params.id ?? newId('coupon');
  if (core.store.find(id) !== undefined) {
    throw invalidRequest('Coupon already exists.', 'id', 'resource_already_exists');
  }
  return core.create<Coupon>(
    {
      id,
      object: 'coupon',
      amount_off,
      created: core.now(),
      currency: params.currency?.toLowerCase() ?? null,
      duration,
      duration_in_months,
      name: params.name ?? null,
      percent_off,
      valid: true,
    },
    'coupon.created',
  );
}

/** What a request says about discounts: coupons to redeem, or discounts to keep. */
export type DiscountChoice = { coupon: string } | { discount: string };

/**
 * The discounts that a subscription has after a request.
 * @throws StripeApiError 400 for an unknown coupon, one in another currency, or a discount of another subscription
 */
export function chosenDiscounts(
  core: Core,
  { id, customer, currency, discounts: present }: Subscription,
  choices: readonly DiscountChoice[],
): string[] {
  return choices.map((choice) => {
    if ('discount' in choice) {
      if (present.includes(choice.discount)) return choice.discount;
      throw invalidRequest(
        `The discount ${choice.discount} is not a current discount of the subscription.`,
        'discounts',
      );
    }
    const coupon = core.getOrThrow('coupon', choice.coupon, 'discounts[0][coupon]');
    if (coupon.currency !== null && coupon.currency !== currency) {
      throw invalidRequest(`The coupon is in ${coupon.currency}.`, 'discounts[0][coupon]');
    }
    const months = coupon.duration_in_months;
    return core.create<Discount>({
      id: newId('di'),
      object: 'discount',
      created: core.now(),
      customer,
      end: months === null ? null : addMonths(core.now(), months),
      source: { coupon: coupon.id, type: 'coupon' },
      start: core.now(),
      subscription: id,
    }).id;
  });
}

/**
 * What the discounts of a subscription take off an amount.
 * @param at in Unix seconds: a discount that has ended by then takes nothing off
 * @param share the part of a period that the amount is for; an amount off is reduced to it
 */
export function discountAmounts(
  core: Core,
  ids: readonly string[],
  amount: number,
  at: number,
  share = 1,
): DiscountAmount[] {
  let left = amount;
  return ids.flatMap((discount) => {
    const { end, source } = core.getOrThrow('discount', discount);
    if (end !== null && end <= at) return [];
    const { percent_off: percent, amount_off: off } = core.getOrThrow('coupon', source.coupon);
    const wanted = percent === null ? (off ?? 0) * share : (left * percent) / 100;
    const taken = Math.min(left, Math.round(wanted));
    left -= taken;
    return [{ amount: taken, discount }];
  });
}

/** The sum of discounts. */
export const sumOf = (amounts: readonly { amount: number }[]): number =>
  amounts.reduce((sum, { amount }) => sum + amount, 0);

/** The discounts that remain once an invoice was issued: not those for one invoice, nor those that are over. */
export function lastingDiscounts(core: Core, { discounts }: Subscription): string[] {
  return discounts.filter((id) => {
    const { end, source } = core.getOrThrow('discount', id);
    return core.getOrThrow('coupon', source.coupon).duration !== 'once' && (end === null || end > core.now());
  });
}
