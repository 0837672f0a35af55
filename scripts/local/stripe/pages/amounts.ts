/** What is between the lines of an invoice and its total: discounts, tax and credit. */
import type { Invoice, Tax } from '../invoice-objects.ts';

/** The label of a tax: with its rate, or why there is none. */
function taxLabel({
  taxability_reason: reason,
  tax_behavior: behavior,
  tax_rate_details: rate,
}: Tax): string {
  if (reason === 'reverse_charge') return 'Tax (reverse charge: to be paid by the customer)';
  const percent = rate === null ? '' : ` ${Number(rate.tax_rate.split('_').at(-1)) / 10}%`;
  return `Tax${percent}${behavior === 'inclusive' ? ', included' : ''}`;
}

/** Rows to show before the total, in the currency's smallest unit. */
export function amountRows({
  total_discount_amounts: discounts,
  total_taxes: taxes,
}: Invoice): [label: string, amount: number][] {
  return [
    ...discounts
      .filter(({ amount }) => amount > 0)
      .map(({ amount }): [string, number] => ['Discount', -amount]),
    ...taxes.map((tax): [string, number] => [taxLabel(tax), tax.amount]),
  ];
}
