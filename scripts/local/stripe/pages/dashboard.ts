/** `/`: the dashboard, with buttons to move the clock and lists of customers, invoices and events. */
import { type Html, html } from '../../html.ts';
import type { StripeEngine } from '../engine.ts';
import type { Invoice } from '../invoice-objects.ts';
import type { Customer, Delivery, StoredEvent, Subscription } from '../objects.ts';
import type { ClockStep } from '../views.ts';
import { formTokenField, type PageRoutes } from './answer.ts';
import { badge, formatDay, formatMoney, formatTime, messageBox, pageDocument } from './layout.ts';
import { cancelsAt, periodEnd, priceName } from './portal-plan.ts';

/** How far each button moves the clock. */
const steps: Readonly<Record<string, { label: string; step: ClockStep }>> = {
  day: { label: 'Advance a day', step: { seconds: 86_400 } },
  week: { label: 'Advance a week', step: { seconds: 7 * 86_400 } },
  month: { label: 'Advance a month', step: { months: 1 } },
};

/** How many objects of each kind the page shows. */
const maxRows = 30;
const shownEvents = 20;

/** Adds the dashboard. */
export function addDashboardRoutes(routes: PageRoutes, engine: StripeEngine): void {
  routes.get('/', ({ query }) => ({
    page: dashboardPage(engine, steps[query.advanced ?? ''] !== undefined),
  }));

  routes.post('/clock', async ({ form }) => {
    const chosen = steps[form.step ?? ''];
    if (chosen === undefined) return { location: '/' };
    await engine.advance(chosen.step);
    return { location: `/?advanced=${form.step}` };
  });
}

function dashboardPage(engine: StripeEngine, advanced: boolean): Html {
  const now = engine.now();
  return pageDocument({
    title: 'Dashboard',
    body: html`<h1>Dashboard</h1>
${advanced && messageBox('good', `The clock has been moved. It is now ${formatTime(now)}.`)}
<section class="panel page-head" aria-labelledby="clock">
<div class="stack tight"><h2 id="clock">Clock</h2>
<p class="clock"><time datetime="${new Date(now * 1000).toISOString()}">${formatTime(now)}</time></p>
<p class="soft small">Everything that becomes due happens: renewals, retries, cancellations and their webhooks.</p></div>
<form class="actions" method="post" action="/clock">${formTokenField()}
${Object.entries(steps).map(([name, { label }]) => html`<button class="button" name="step" value="${name}">${label}</button>`)}</form>
</section>
${customerSection(engine)}
${invoiceSection(engine)}
${eventSection(engine.listEvents(shownEvents), engine.listDeliveries(shownEvents * 4))}`,
  });
}

/** A table with a title, or a line that says that it is empty. */
function tableSection(id: string, title: string, headings: string[], rows: Html[], nothing: string): Html {
  return html`<section class="panel stack" aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
${
  rows.length === 0
    ? html`<p class="soft">${nothing}</p>`
    : html`<div class="table-box" tabindex="0" role="group" aria-labelledby="${id}"><table>
<thead><tr>${headings.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${rows}</tbody></table></div>`
}
</section>`;
}

function customerSection(engine: StripeEngine): Html {
  const subscriptions = Map.groupBy(engine.listSubscriptions(), ({ customer }) => customer);
  const products = new Map(engine.listProducts().map(({ id, name }) => [id, name]));
  const rows = engine.listCustomers(maxRows).map((customer: Customer) => {
    const newest = subscriptions.get(customer.id)?.[0];
    return html`<tr><td>${customer.name && html`<strong>${customer.name}</strong><br>`}${customer.email ?? 'No email'}<br>
<code class="soft">${customer.id}</code></td>
${newest === undefined ? html`<td class="soft" colspan="3">No subscription</td>` : subscriptionCells(newest, products)}</tr>`;
  });
  const headings = ['Customer', 'Plan', 'Status', 'Next'];
  return tableSection(
    'customers',
    'Customers',
    headings,
    rows,
    'None yet. A checkout or the API creates them.',
  );
}

function subscriptionCells(subscription: Subscription, products: Map<string, string>): Html {
  const price = subscription.items.data[0]!.price;
  const end = cancelsAt(subscription);
  const over = subscription.ended_at;
  const follows =
    over !== null
      ? `Ended on ${formatDay(over)}`
      : end !== undefined
        ? `Cancels on ${formatDay(end)}`
        : `${subscription.schedule === null ? 'Renews' : 'Changes plan'} on ${formatDay(periodEnd(subscription))}`;
  return html`<td>${products.get(price.product)}<br><span class="soft small number">${priceName(price)}</span></td>
<td>${badge(subscription.status)}</td><td>${follows}</td>`;
}

function invoiceSection(engine: StripeEngine): Html {
  const customers = new Map(engine.listCustomers().map((customer) => [customer.id, customer]));
  const rows = engine.listInvoices(maxRows).map((invoice: Invoice) => {
    const customer = customers.get(invoice.customer);
    return html`<tr><td class="number">${formatDay(invoice.created)}</td>
<td><a href="/i/${invoice.id}">${invoice.number ?? invoice.id}</a></td>
<td>${invoice.customer_email ?? customer?.email ?? invoice.customer}</td>
<td class="number">${formatMoney(invoice.total, invoice.currency)}</td><td>${badge(invoice.status ?? 'draft')}</td></tr>`;
  });
  const headings = ['Date', 'Invoice', 'Customer', 'Total', 'Status'];
  return tableSection('invoices', 'Invoices', headings, rows, 'None yet.');
}

function eventSection(events: StoredEvent[], deliveries: Delivery[]): Html {
  const byEvent = Map.groupBy(deliveries, ({ event }) => event);
  const rows = events.map(
    (event) => html`<tr><td class="number">${formatTime(event.created)}</td>
<td><strong>${event.type}</strong><br><code class="soft">${event.id}</code></td>
<td>${(byEvent.get(event.id) ?? []).map(deliveryLine)}
${!byEvent.has(event.id) && html`<span class="soft">No subscribed endpoint</span>`}</td></tr>`,
  );
  const headings = ['When', 'Event', 'Webhook deliveries'];
  return tableSection('events', 'Events', headings, rows, 'None yet.');
}

function deliveryLine({ state, url, attempts }: Delivery): Html {
  const last = attempts.at(-1);
  const answer = last === undefined ? '' : (last.status ?? last.error ?? '');
  return html`<p>${badge(state)} <span class="small">${url}</span>
<span class="soft small">${attempts.length} ${attempts.length === 1 ? 'attempt' : 'attempts'}${answer !== '' && `, last response: ${answer}`}</span></p>`;
}
