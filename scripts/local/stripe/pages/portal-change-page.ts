/** The portal's pages for a change of plan: the choice of plans and the confirmation. */

import { type Html, html } from '../../html.ts';
import type { ChangePreview, PortalView } from '../views.ts';
import { formTokenField } from './answer.ts';
import { formatDay, formatMoney } from './format.ts';
import { messageBox } from './layout.ts';
import { portalAddress } from './portal-access.ts';
import { cardName, portalDocument } from './portal-page.ts';
import { periodEnd, priceName } from './portal-plan.ts';

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
  const { product, price, when, at, amountDue, currency, lines } = preview;
  const card = view.cards.find(({ id }) => id === view.defaultCard);
  const end = view.subscription === null ? at : periodEnd(view.subscription);
  return portalDocument(
    view,
    `Change to ${product.name}`,
    html`<section class="panel stack">
<p class="price">${formatMoney(price.unit_amount, price.currency)} <small>per month</small></p>
<dl class="sums">
${
  when === 'now' &&
  lines.map(
    (line) =>
      html`<div><dt>${line.description ?? product.name}</dt><dd class="number">${formatMoney(line.amount, currency)}</dd></div>`,
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
<a class="button" href="${portalAddress(view, 'change')}">Choose another plan</a>
</form>
</section>`,
  );
}
