/** The pages of the portal: plan, cards and invoices, a change or cancellation of the plan, and a new card. */
import { type Html, html } from '../../html.ts';
import type { Invoice } from '../invoice-objects.ts';
import type { PaymentMethod, Subscription } from '../objects.ts';
import type { ChangePreview, PortalView } from '../views.ts';
import { amountRows } from './amounts.ts';
import { formTokenField } from './answer.ts';
import { type CardEntry, type CardProblems, cardFields, testCardRow } from './card-form.ts';
import {
  actionButton,
  backLink,
  badge,
  formatDay,
  formatMoney,
  merchant,
  merchantName,
  messageBox,
  pageDocument,
} from './layout.ts';
import { portalAddress, portalPermissions } from './portal-access.ts';
import { periodEnd, planSection, priceName } from './portal-plan.ts';

/** What the page says about the last action. */
export interface PortalMessage {
  kind: 'good' | 'bad';
  text: string;
}

/** The whole page. */
export function portalPage(view: PortalView, message: PortalMessage | undefined): Html {
  const may = portalPermissions(view);
  return portalDocument(
    view,
    view.configuration.business_profile.headline ?? 'Manage your subscription',
    html`${message && messageBox(message.kind, message.text)}
${planSection(view)}
${may.cards && cardSection(view)}
${may.invoices && invoiceSection(view)}`,
    { address: view.session.return_url, text: `Return to ${merchant}` },
  );
}

/** A page of the portal with its heading and, by default, a link back to the first page. */
function portalDocument(
  view: PortalView,
  title: string,
  content: Html,
  back: { address: string | null; text: string } = view.session.flow === null
    ? { address: portalAddress(view), text: 'Back to your subscription' }
    : { address: view.session.return_url, text: `Return to ${merchant}` },
): Html {
  return pageDocument({
    title,
    body: html`<div class="page-head">${merchantName()}${backLink(back.address, back.text)}</div>
<h1>${title}</h1>
${content}`,
  });
}

/** The name of a card: "Visa •••• 4242". */
function cardName({ card }: PaymentMethod): string {
  const brands: Readonly<Record<string, string>> = { amex: 'American Express', mastercard: 'Mastercard' };
  const brand = brands[card.brand] ?? card.brand.charAt(0).toUpperCase() + card.brand.slice(1);
  return `${brand} •••• ${card.last4}`;
}

function cardSection(view: PortalView): Html {
  const address = portalAddress(view, 'cards');
  return html`<section class="panel stack" aria-labelledby="cards">
<h2 id="cards">Payment methods</h2>
${
  view.cards.length === 0
    ? html`<p class="soft">No saved cards.</p>`
    : html`<ul class="rows">${view.cards.map((card) => cardRow(view, card, address))}</ul>`
}
<p><a class="button" href="${address}/new">Add a card</a></p>
</section>`;
}

function cardRow(view: PortalView, card: PaymentMethod, address: string): Html {
  const charged = card.id === view.defaultCard;
  const { exp_month: month, exp_year: year } = card.card;
  return html`<li><div class="row-text"><strong class="number">${cardName(card)}</strong>
${charged && html`<span class="badge">Default</span>`}
<span class="soft small number">Expires ${String(month).padStart(2, '0')}/${year}</span></div>
<div class="actions">${!charged && actionButton(`${address}/${card.id}/default`, 'Make default', 'small', cardName(card))}
${
  // As at Stripe, the card that a running subscription uses can only be removed after another one is the default.
  !(charged && view.subscription) &&
  actionButton(`${address}/${card.id}/remove`, 'Remove', 'small', cardName(card))
}</div></li>`;
}

function invoiceSection(view: PortalView): Html {
  const shown = view.invoices.filter(({ status }) => status !== 'draft');
  return html`<section class="panel stack" aria-labelledby="invoices">
<h2 id="invoices">Invoice history</h2>
${
  shown.length === 0
    ? html`<p class="soft">There are no invoices yet.</p>`
    : html`<ul class="rows">${shown.map((invoice) => invoiceRow(view, invoice))}</ul>`
}
</section>`;
}

function invoiceRow(view: PortalView, invoice: Invoice): Html {
  const date = formatDay(invoice.created);
  const pay = portalAddress(view, 'invoices', invoice.id, 'pay');
  const remaining = formatMoney(invoice.amount_remaining, invoice.currency);
  return html`<li><div class="row-text"><a href="/i/${invoice.id}">${date}<span class="visually-hidden">, invoice ${invoice.number}</span></a>
<span class="soft small">${invoiceSubject(view, invoice)}</span></div>
<div class="row-text"><span class="number">${formatMoney(invoice.total, invoice.currency)}</span>
${badge(invoice.status ?? 'draft')}
${invoice.status === 'open' && actionButton(pay, 'Pay now', 'small main', `${remaining} of ${date}`)}</div></li>`;
}

/** What an invoice is for: the product of its last line that is not a credit. */
function invoiceSubject(view: PortalView, invoice: Invoice): string {
  const line = invoice.lines.data.findLast(({ amount }) => amount >= 0) ?? invoice.lines.data[0];
  const product = line?.pricing.price_details.product;
  return view.offers.find((offer) => offer.product.id === product)?.product.name ?? line?.description ?? '';
}

/** The plans that the configuration offers. */
export function choosePlanPage(view: PortalView): Html {
  return portalDocument(
    view,
    'Change plan',
    html`<ul class="stack">${view.offers.map(
      ({ product, price, current, when }) => html`<li class="panel">
<div class="page-head"><div class="stack tight"><h2>${product.name}</h2>
<p class="number">${priceName(price)}</p>
${product.description && html`<p class="soft small">${product.description}</p>`}
${!current && html`<p class="soft small">${when === 'now' ? 'Changes immediately' : 'Changes at the end of the paid period'}</p>`}
</div>
${
  current
    ? html`<span class="badge">Current plan</span>`
    : html`<a class="button main" href="${portalAddress(view, 'change', price.id)}">Select<span class="visually-hidden"> ${product.name}</span></a>`
}</div></li>`,
    )}</ul>`,
  );
}

/** What the change costs and when it takes effect, with a button to confirm. */
export function confirmChangePage(view: PortalView, preview: ChangePreview, failure?: string): Html {
  const { product, price, when, at, amountDue, currency, invoice } = preview;
  const card = view.cards.find(({ id }) => id === view.defaultCard);
  const end = view.subscription === null ? at : periodEnd(view.subscription);
  return portalDocument(
    view,
    `Change to ${product.name}`,
    html`<section class="panel stack">
<p class="price">${formatMoney(price.unit_amount, price.currency)} <small>per month</small></p>
<dl class="sums">
${
  invoice &&
  [
    ...invoice.lines.data.map((line) => [line.description ?? product.name, line.amount] as const),
    ...amountRows(invoice),
    ...(invoice.amount_due === invoice.total
      ? []
      : [['Credit', invoice.amount_due - invoice.total] as const]),
  ].map(
    ([label, amount]) =>
      html`<div><dt>${label}</dt><dd class="number">${formatMoney(amount, currency)}</dd></div>`,
  )
}
<div class="total"><dt>Due now</dt><dd class="number">${formatMoney(amountDue, currency)}</dd></div>
</dl>
<p>${
      when === 'now'
        ? html`Your plan changes immediately. From <strong>${formatDay(end)}</strong> you pay ${priceName(price)}.`
        : html`Nothing changes today. Your plan changes on <strong>${formatDay(at)}</strong>; from then on you pay ${priceName(price)}.`
    }</p>
${amountDue > 0 && html`<p class="soft">${card === undefined ? 'There is no card to charge: add one first.' : `Charged to ${cardName(card)}.`}</p>`}
${failure !== undefined && messageBox('bad', failure)}
<form class="actions" method="post" action="${portalAddress(view, 'change', price.id)}">${formTokenField()}
<button class="button main">${amountDue > 0 ? `Pay ${formatMoney(amountDue, currency)} and change` : 'Confirm the change'}</button>
${view.session.flow === null && html`<a class="button" href="${portalAddress(view, 'change')}">Choose another plan</a>`}
${view.session.flow !== null && html`<a class="button" href="${portalAddress(view, 'cards', 'new')}">Use another card</a>`}
</form>
</section>`,
  );
}

/** Asks for confirmation of a cancellation and says when it takes effect. */
export function cancelPage(view: PortalView, subscription: Subscription): Html {
  const name = view.product?.name ?? 'Your plan';
  return portalDocument(
    view,
    'Cancel your plan',
    html`<form class="panel stack" method="post" action="${portalAddress(view, 'cancel')}">${formTokenField()}
<p><strong>${name}</strong> remains active until <strong>${formatDay(periodEnd(subscription))}</strong>. Then it ends, and nothing more is charged.</p>
<div class="actions"><button class="button danger">Cancel plan</button>
<a class="button" href="${portalAddress(view)}">Keep the plan</a></div>
</form>`,
  );
}

/** The form for a new card. */
export function addCardPage(
  view: PortalView,
  entry: CardEntry,
  problems: CardProblems,
  failure?: string,
): Html {
  return portalDocument(
    view,
    'Add a card',
    html`<form class="panel stack" method="post" action="${portalAddress(view, 'cards', 'new')}" novalidate>
${formTokenField()}
${cardFields(entry, problems)}
${failure !== undefined && messageBox('bad', failure)}
<p class="soft small">The next invoice will be charged to the new card.</p>
<div class="actions"><button class="button main">Add card</button>
<a class="button" href="${portalAddress(view)}">Go back</a></div>
${testCardRow()}
</form>`,
  );
}
