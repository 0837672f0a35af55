/** The portal's section about the plan: its state, scheduled changes and the possible actions. */
import { type Html, html } from '../../html.ts';
import type { Invoice } from '../invoice-objects.ts';
import type { Price, Subscription } from '../objects.ts';
import type { PortalView } from '../views.ts';
import { actionButton, badge, formatDay, formatMoney, messageBox } from './layout.ts';
import { portalAddress, portalPermissions } from './portal-access.ts';

/** A price in words: "$50.00 per month". */
export function priceName(price: Price): string {
  return `${formatMoney(price.unit_amount, price.currency)} per month`;
}

/** The end of the paid period, in Unix seconds. */
export function periodEnd(subscription: Subscription): number {
  return subscription.items.data[0]!.current_period_end;
}

/** When a canceled subscription ends; undefined when it continues. */
export function cancelsAt(subscription: Subscription): number | undefined {
  if (subscription.cancel_at !== null) return subscription.cancel_at;
  return subscription.cancel_at_period_end ? periodEnd(subscription) : undefined;
}

/** The plan section. */
export function planSection(view: PortalView): Html {
  const { subscription, product } = view;
  if (subscription === null) {
    return html`<section class="panel stack" aria-labelledby="plan">
<h2 id="plan">Current plan</h2><p class="soft">There is no subscription at the moment.</p></section>`;
  }
  const price = subscription.items.data[0]!.price;
  return html`<section class="panel stack" aria-labelledby="plan">
<h2 id="plan">Current plan</h2>
<div class="stack tight">
<p class="row-text"><strong>${product?.name ?? 'Subscription'}</strong> ${badge(subscription.status)}</p>
<p class="price">${formatMoney(price.unit_amount, price.currency)}
<small>per month</small></p>
<p>${nextChangeText(view, subscription)}</p>
</div>
${unpaidMessage(view, subscription)}
${planActions(view, subscription)}
</section>`;
}

function nextChangeText({ pendingChange }: PortalView, subscription: Subscription): Html | string {
  const end = cancelsAt(subscription);
  if (end !== undefined)
    return html`Cancels on <strong>${formatDay(end)}</strong>. Until then, nothing changes.`;
  if (pendingChange !== null) {
    const { product, price, at } = pendingChange;
    return html`Changes to <strong>${product.name}</strong> (${priceName(price)}) on <strong>${formatDay(at)}</strong>.`;
  }
  if (subscription.status === 'trialing' && subscription.trial_end !== null) {
    return html`The free trial ends on <strong>${formatDay(subscription.trial_end)}</strong>; after that, your card is charged.`;
  }
  return html`Renews on <strong>${formatDay(periodEnd(subscription))}</strong>.`;
}

/** The newest unpaid invoice. */
function openInvoice(view: PortalView): Invoice | undefined {
  return view.invoices.find(({ status, amount_remaining: left }) => status === 'open' && left > 0);
}

function isUnpaid({ status }: Subscription): boolean {
  return ['past_due', 'unpaid', 'incomplete'].includes(status);
}

function unpaidMessage(view: PortalView, subscription: Subscription): Html | undefined {
  const invoice = openInvoice(view);
  if (invoice === undefined || !isUnpaid(subscription)) return undefined;
  const amount = formatMoney(invoice.amount_remaining, invoice.currency);
  const { cards, invoices } = portalPermissions(view);
  return messageBox(
    'bad',
    html`<div class="stack"><p><strong>The payment of ${amount} has failed.</strong>
${cards ? 'Add another card, or try the one on file again.' : 'Try the card on file again.'}</p>
<div class="actions">${invoices && actionButton(portalAddress(view, 'invoices', invoice.id, 'pay'), `Pay ${amount} now`, 'main')}
${cards && html`<a class="button" href="${portalAddress(view, 'cards', 'new')}">Add another card</a>`}</div></div>`,
  );
}

function planActions(view: PortalView, subscription: Subscription): Html | undefined {
  const may = portalPermissions(view);
  const ending = cancelsAt(subscription) !== undefined;
  const changing = view.pendingChange !== null;
  const unpaid = isUnpaid(subscription);
  const others = view.offers.some(({ current }) => !current);
  const actions = [
    may.changePlan &&
      others &&
      !ending &&
      !changing &&
      html`<a class="button ${unpaid ? '' : 'main'}" href="${portalAddress(view, 'change')}">Change plan</a>`,
    may.changePlan &&
      changing &&
      !ending &&
      actionButton(portalAddress(view, 'undo-change'), 'Keep the current plan', 'main'),
    may.cancel && !ending && html`<a class="button" href="${portalAddress(view, 'cancel')}">Cancel plan</a>`,
    may.cancel && ending && actionButton(portalAddress(view, 'resume'), 'Don’t cancel', 'main'),
  ].filter((action) => action !== false);
  return actions.length === 0 ? undefined : html`<div class="actions">${actions}</div>`;
}
