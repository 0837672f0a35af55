/** The stored objects that amounts are made of: invoices with their lines, coupons, discounts, tax and tax ids. */
import type Stripe from 'stripe';
import type { List, With } from './object-types.ts';

/** A coupon: a share, or an amount in the currency's smallest unit, off each invoice as long as `duration` says. */
export type Coupon = With<
  Stripe.Coupon,
  Pick<
    Stripe.Coupon,
    'amount_off' | 'currency' | 'duration' | 'duration_in_months' | 'name' | 'percent_off' | 'valid'
  >
>;
/** A coupon that was redeemed by a subscription. Times are in Unix seconds. */
export type Discount = With<
  Stripe.Discount,
  Pick<Stripe.Discount, 'end' | 'start'> & {
    customer: string;
    source: { coupon: string; type: 'coupon' };
    subscription: string;
  }
>;
/** A VAT ID of a business in the EU, the only kind of tax ID that this server has. */
export type TaxId = With<Stripe.TaxId, { country: string; customer: string; type: 'eu_vat'; value: string }>;
/** What a discount takes off. */
export interface DiscountAmount {
  amount: number;
  discount: string;
}
/** Tax on a line, or on an invoice. */
export interface Tax {
  amount: number;
  tax_behavior: 'exclusive' | 'inclusive';
  tax_rate_details: { tax_rate: string } | null;
  taxability_reason: 'standard_rated' | 'reverse_charge' | 'not_collecting';
  taxable_amount: number;
  type: 'tax_rate_details';
}
/** An invoice. */
export type Invoice = With<
  Stripe.Invoice,
  Pick<
    Stripe.Invoice,
    | 'amount_due'
    | 'amount_paid'
    | 'amount_remaining'
    | 'attempt_count'
    | 'currency'
    | 'customer_email'
    | 'next_payment_attempt'
    | 'number'
    | 'status'
    | 'status_transitions'
    | 'subtotal'
    | 'total'
  > & {
    automatic_tax: { enabled: boolean; status: Stripe.Invoice.AutomaticTax.Status | null };
    customer_address: Partial<Stripe.Address> | null;
    customer_tax_ids: { type: 'eu_vat'; value: string }[];
    discounts: string[];
    /** The customer's balance before and after the invoice; the latter is null until it is final. */
    starting_balance: number;
    ending_balance: number | null;
    total_discount_amounts: DiscountAmount[];
    total_excluding_tax: number;
    total_taxes: Tax[];
    customer: string;
    customer_name: string | null;
    default_payment_method: string | null;
    hosted_invoice_url: string | null;
    invoice_pdf: string | null;
    /** Null for what was paid once. */
    parent: {
      type: 'subscription_details';
      subscription_details: {
        metadata: Stripe.Metadata;
        subscription: string;
        /** Only in a preview of prorations, in Unix seconds. */
        subscription_proration_date?: number;
      };
    } | null;
    lines: List<InvoiceLine>;
  }
>;
/** One line of an invoice. */
export type InvoiceLine = Omit<
  With<
    Stripe.InvoiceLineItem,
    {
      amount: number;
      description: string | null;
      discount_amounts: DiscountAmount[];
      taxes: Tax[];
      parent: {
        type: 'subscription_item_details';
        subscription_item_details: Stripe.InvoiceLineItem.Parent.SubscriptionItemDetails;
      } | null;
      period: Stripe.InvoiceLineItem.Period;
      pricing: {
        type: 'price_details';
        price_details: { price: string; product: string };
        unit_amount_decimal: string;
      };
      subscription: string | null;
    }
  >,
  'created'
>;
