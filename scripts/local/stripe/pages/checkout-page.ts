/** The checkout page: the purchase, and the card form. */
import { type Html, html } from '../../html.ts';
import { successUrlOf } from '../billing/checkout.ts';
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
function checkoutPage(view: CheckoutView, card: CardEntry, problems: CardProblems, failure?: string): Html {
  const { product, price, session } = view;
  const amount = formatMoney(price.unit_amount, price.currency);
  return pageDocument({
    title: `Subscribe to ${product.name}`,
    body: html`${backLink(session.cancel_url, 'Back')}
${merchantName()}
<section class="panel stack" aria-label="Your order">
<h1>Subscribe to ${product.name}</h1>
<p class="price">${amount} <small>per month</small></p>
<dl class="sums">
<div><dt>${product.name}
${product.description && html`<p class="soft small">${product.description}</p>`}</dt>
<dd class="number">${amount}</dd></div>
<div class="total"><dt>Total due today</dt><dd class="number">${amount}</dd></div>
</dl>
</section>
<form class="panel stack" method="post" action="/c/pay/${session.id}" novalidate>
${formTokenField()}
<h2>Pay with card</h2>
<p>${view.customer?.email}</p>
${cardFields(card, problems)}
${failure && messageBox('bad', failure)}
<button class="button main">Subscribe</button>
${testCardRow()}
<p class="small soft">By subscribing, you let ${merchant} charge your card each period until you cancel. This is
a test: use a test card, never your own.</p>
</form>`,
  });
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
  function find(sessionId: string): CheckoutView {
    const view = engine.findCheckout(sessionId);
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

  function pay(view: CheckoutView, form: Form): Answer {
    const entry = readCardForm(form, view.customer, engine.now());
    if (entry.card === undefined) return { page: checkoutPage(view, entry.typed, entry.problems) };
    const result = engine.payCheckout(view.session.id, entry.card);
    if (result.outcome === 'paid') return { location: result.redirectUrl };
    if (result.outcome === 'authenticate') return { location: `/authenticate/${result.challengeId}` };
    return { page: checkoutPage(view, entry.typed, {}, result.message) };
  }
}

/** The page of a session that is no longer open. */
function closedAnswer(view: CheckoutView): Answer | undefined {
  if (view.session.status === 'complete') return { page: completePage(successUrlOf(view.session)) };
  if (view.session.status === 'expired') return { page: expiredPage(view.session.cancel_url) };
  return undefined;
}
