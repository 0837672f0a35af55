/** The checkout page: the purchase, and the card form. */
import { type Html, html } from '../../html.ts';
import { type Business, successUrlOf } from '../billing/checkout.ts';
import { taxedCountries } from '../billing/tax.ts';
import type { StripeEngine } from '../engine.ts';
import type { CheckoutView } from '../views.ts';
import { type Answer, type Form, formTokenField, type PageRoutes } from './answer.ts';
import {
  type CardEntry,
  type CardProblems,
  cardFields,
  emptyCardEntry,
  readCardForm,
  testCardRow,
} from './card-form.ts';
import { refusalOf } from './challenge.ts';
import {
  backLink,
  formatMoney,
  merchant,
  merchantName,
  messageBox,
  PageNotFound,
  pageDocument,
  problemPage,
} from './layout.ts';

/** The page of an open session. @param failure is about the payment as a whole */
function checkoutPage(
  view: CheckoutView,
  card: CardEntry,
  problems: CardProblems,
  failure?: string,
  buyer?: Business,
): Html {
  const { product, price, session, totals } = view;
  const money = (cents: number) => formatMoney(cents, price.currency);
  const amount = formatMoney(price.unit_amount, price.currency);
  const once = session.mode === 'payment';
  const title = once ? `Pay for ${product.name}` : `Subscribe to ${product.name}`;
  return pageDocument({
    title,
    body: html`${backLink(session.cancel_url, 'Back')}
${merchantName()}
<section class="panel stack" aria-label="Your order">
<h1>${title}</h1>
<p class="price">${amount} <small>${once ? 'once' : 'per month'}</small></p>
<dl class="sums">
<div><dt>${product.name}
${product.description && html`<p class="soft small">${product.description}</p>`}</dt>
<dd class="number">${amount}</dd></div>
${session.automatic_tax.enabled && html`<div><dt>Tax</dt><dd class="number">${buyer ? money(totals.tax) : 'By your country'}</dd></div>`}
${totals.balance !== 0 && html`<div><dt>Credit</dt><dd class="number">${money(totals.balance)}</dd></div>`}
<div class="total"><dt>Total due today</dt><dd class="number">${money(totals.amountDue)}</dd></div>
</dl>
</section>
<form class="panel stack" method="post" action="/c/pay/${session.id}" novalidate>
${formTokenField()}
<h2>Pay with card</h2>
<p>${view.customer?.email}</p>
${session.automatic_tax.enabled && businessFields(totals.amountDue, buyer)}
${cardFields(card, problems)}
${failure && messageBox('bad', failure)}
<button class="button main">${once ? 'Pay' : 'Subscribe'}</button>
${testCardRow()}
<p class="small soft">${once ? 'You pay once, and the card is not saved.' : `By subscribing, you let ${merchant} charge your card each period until you cancel.`} This is
a test: use a test card, never your own.</p>
</form>`,
  });
}

/** Where the buyer is, for the tax, and the total that the page shows. */
function businessFields(total: number, buyer?: Business): Html {
  return html`<input type="hidden" name="total" value="${buyer ? String(total) : ''}">
<div class="field"><label for="country">Country</label>
<select id="country" name="country" autocomplete="country">${['US', ...taxedCountries].map(
    (code) =>
      html`<option value="${code}" ${code === buyer?.country && html`selected`}>${countryNames.of(code)}</option>`,
  )}</select></div>
<div class="field"><label for="business">Business name (optional)</label>
<input id="business" name="business" value="${buyer?.name ?? ''}" maxlength="200" autocomplete="organization"></div>
<div class="field"><label for="vatId">VAT ID (optional)</label>
<input id="vatId" name="vatId" value="${buyer?.vatId ?? ''}" maxlength="20"></div>`;
}

const countryNames = new Intl.DisplayNames('en', { type: 'region' });

/** The buyer of a submitted form; undefined where no tax may be added. */
function readBuyer({ session, customer }: CheckoutView, form: Form): Business | undefined {
  if (!session.automatic_tax.enabled) return undefined;
  const field = (name: string) => (form[name] ?? '').trim().slice(0, 200);
  const vatId = field('vatId');
  return {
    country: field('country') || 'US',
    name: field('business') || customer?.name || 'Test Buyer',
    ...(vatId !== '' && { vatId }),
  };
}

/** The page of a session that has been paid. */
function completePage(successUrl: string): Html {
  return problemPage({
    title: 'You’re all done here',
    text: 'This checkout has been paid. Nothing more is charged if you open it again.',
    back: { address: successUrl, text: `Return to ${merchant}` },
  });
}

/** The page of an expired session. */
function expiredPage(cancelUrl: string | null): Html {
  return problemPage({
    title: 'This checkout has expired',
    text: `Nothing was charged. Go back to ${merchant} and choose the plan again to get a new one.`,
    back: { address: cancelUrl, text: `Return to ${merchant}` },
  });
}

/** Adds the checkout page. */
export function addCheckoutRoutes(routes: PageRoutes, engine: StripeEngine): void {
  function find(sessionId: string, buyer?: Business): CheckoutView {
    const view = engine.findCheckout(sessionId, buyer);
    if (view === undefined) {
      throw new PageNotFound('There is no such checkout', 'The URL may be incomplete or mistyped.');
    }
    return view;
  }

  routes.get('/c/pay/:session', ({ part, query }) => {
    const view = find(part('session'));
    const closed = closedAnswer(view);
    if (closed !== undefined) return closed;
    return { page: checkoutPage(view, emptyCardEntry, {}, refusalOf(engine, query.refused)) };
  });

  routes.post('/c/pay/:session', ({ part, form }) => {
    const view = find(part('session'));
    if (view.session.status === 'complete') return { location: successUrlOf(view.session) };
    return closedAnswer(view) ?? pay(view, form);
  });

  function pay(untaxed: CheckoutView, form: Form): Answer {
    const buyer = readBuyer(untaxed, form);
    const view = find(untaxed.session.id, buyer);
    const entry = readCardForm(form, view.customer, engine.now());
    const again = (problems: CardProblems, failure?: string) => ({
      page: checkoutPage(view, entry.typed, problems, failure, buyer),
    });
    if (entry.card === undefined) return again(entry.problems);
    // Nothing is charged that the page did not show.
    if (buyer && form.total !== String(view.totals.amountDue)) {
      return again({}, 'Your total has changed with your country. Check it and subscribe.');
    }
    const result = engine.payCheckout(view.session.id, entry.card, buyer);
    if (result.outcome === 'paid') return { location: result.redirectUrl };
    if (result.outcome === 'authenticate') return { location: `/authenticate/${result.challengeId}` };
    return again({}, result.message);
  }
}

/** The page of a session that is no longer open. */
function closedAnswer(view: CheckoutView): Answer | undefined {
  if (view.session.status === 'complete') return { page: completePage(successUrlOf(view.session)) };
  if (view.session.status === 'expired') return { page: expiredPage(view.session.cancel_url) };
  return undefined;
}
