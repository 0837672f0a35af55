/** `/i/<invoice>`: an invoice to read and to print. */
import { type Html, html } from '../../html.ts';
import type { StripeEngine } from '../engine.ts';
import type { Invoice } from '../invoice-objects.ts';
import type { Customer } from '../objects.ts';
import { amountRows } from './amounts.ts';
import type { PageRoutes } from './answer.ts';
import {
  badge,
  formatDay,
  formatMoney,
  merchant,
  merchantName,
  PageNotFound,
  pageDocument,
} from './layout.ts';

/** Adds the invoice page. */
export function addInvoiceRoutes(routes: PageRoutes, engine: StripeEngine): void {
  routes.get('/i/:invoice', ({ part }) => {
    const found = engine.findInvoice(part('invoice'));
    if (found === undefined) {
      throw new PageNotFound('There is no such invoice', 'The URL may be incomplete or mistyped.');
    }
    return { page: invoicePage(found.invoice, found.customer) };
  });
}

function invoicePage(invoice: Invoice, customer: Customer | undefined): Html {
  const money = (amount: number) => formatMoney(amount, invoice.currency);
  const name = invoice.customer_name ?? customer?.name;
  const email = invoice.customer_email ?? customer?.email;
  return pageDocument({
    title: `Invoice ${invoice.number ?? invoice.id}`,
    body: html`${merchantName()}
<article class="panel stack">
<div class="page-head"><h1>Invoice</h1>${badge(invoice.status ?? 'draft')}</div>
<div class="stack tight">
<p class="price">${money(invoice.total)}</p>
<p class="soft">${
      invoice.status === 'paid'
        ? html`Paid${invoice.status_transitions.paid_at !== null && ` on ${formatDay(invoice.status_transitions.paid_at)}`}`
        : html`Issued on ${formatDay(invoice.created)}`
    }</p>
</div>
<dl class="sums">
<div><dt class="soft">Invoice number</dt><dd class="number">${invoice.number ?? '–'}</dd></div>
<div><dt class="soft">Date</dt><dd>${formatDay(invoice.created)}</dd></div>
<div><dt class="soft">From</dt><dd>${merchant}</dd></div>
<div><dt class="soft">To</dt><dd>${name && html`${name}<br>`}${email}${invoice.customer_tax_ids.map(({ value }) => html`<br>VAT ID ${value}`)}</dd></div>
</dl>
<table>
<thead><tr><th scope="col">Description</th><th scope="col" class="money">Amount</th></tr></thead>
<tbody>${invoice.lines.data.map(
      (line) => html`<tr><td>${line.description}<br>
<span class="soft small">${formatDay(line.period.start)} – ${formatDay(line.period.end)}</span></td>
<td class="money">${money(line.amount)}</td></tr>`,
    )}</tbody>
<tfoot>
${amountRows(invoice).map(
  ([label, amount]) => html`<tr><th scope="row">${label}</th><td class="money">${money(amount)}</td></tr>`,
)}
<tr><th scope="row">Total</th><td class="money"><strong>${money(invoice.total)}</strong></td></tr>
${
  invoice.amount_due !== invoice.total &&
  html`<tr><th scope="row">Credit</th><td class="money">${money(invoice.amount_due - invoice.total)}</td></tr>
<tr><th scope="row">Amount due</th><td class="money">${money(invoice.amount_due)}</td></tr>`
}
<tr><th scope="row">Paid</th><td class="money">${money(invoice.amount_paid)}</td></tr>
${
  invoice.amount_remaining > 0 &&
  html`<tr><th scope="row">Amount remaining</th><td class="money"><strong>${money(invoice.amount_remaining)}</strong></td></tr>`
}
</tfoot>
</table>
<p class="small soft">A test invoice of the local stand-in. No money was charged.</p>
</article>`,
  });
}
