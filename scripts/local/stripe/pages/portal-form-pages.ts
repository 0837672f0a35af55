/** The portal's pages with a form: cancel, add a card, change the billing details. */
import { type Html, html } from '../../html.ts';
import type { Subscription } from '../objects.ts';
import type { PortalView } from '../views.ts';
import { formTokenField } from './answer.ts';
import {
  type CardEntry,
  type CardProblems,
  cardFields,
  enterKeyButton,
  testCardRow,
  textField,
} from './card-form.ts';
import { formatDay, messageBox } from './layout.ts';
import { portalAddress } from './portal-access.ts';
import { portalDocument } from './portal-page.ts';
import { periodEnd } from './portal-plan.ts';

/** Labels of Stripe's cancellation reasons. */
const reasons: Readonly<Record<string, string>> = {
  too_expensive: 'It’s too expensive',
  missing_features: 'I need more features',
  switched_service: 'I found an alternative',
  unused: 'I no longer need it',
  customer_service: 'Customer service was less than expected',
  too_complex: 'Ease of use was less than expected',
  low_quality: 'Quality was less than expected',
  other: 'Other reason',
};

/** Asks for confirmation of a cancellation and says when it takes effect. */
export function cancelPage(view: PortalView, subscription: Subscription): Html {
  const { cancellation_reason: reason } = view.configuration.features.subscription_cancel;
  const name = view.product?.name ?? 'Your plan';
  return portalDocument(
    view,
    'Cancel your plan',
    html`<form class="panel stack" method="post" action="${portalAddress(view, 'cancel')}">${formTokenField()}
<p><strong>${name}</strong> remains active until <strong>${formatDay(periodEnd(subscription))}</strong>. Then it ends, and nothing more is charged.</p>
${reason.enabled && reasonFields(reason.options)}
<div class="actions"><button class="button danger">Cancel plan</button>
<a class="button" href="${portalAddress(view)}">Keep the plan</a></div>
</form>`,
  );
}

function reasonFields(options: string[]): Html {
  return html`<fieldset class="stack tight"><legend class="legend">Why are you leaving? (optional)</legend>
${options.map(
  (option) =>
    html`<label class="choice"><input type="radio" name="feedback" value="${option}"> ${reasons[option] ?? option}</label>`,
)}</fieldset>
<div class="field"><label for="comment">Anything to add? (optional)</label>
<textarea id="comment" name="comment" rows="3" maxlength="1000"></textarea></div>`;
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
${enterKeyButton()}${formTokenField()}
${testCardRow()}
${cardFields(entry, problems)}
${failure !== undefined && messageBox('bad', failure)}
<p class="soft small">The next invoice will be charged to the new card.</p>
<div class="actions"><button class="button main">Add card</button>
<a class="button" href="${portalAddress(view)}">Go back</a></div>
</form>`,
    undefined,
    true,
  );
}

/** The form for name and email address on invoices; `fields` limits what can be changed. */
export function billingPage(
  view: PortalView,
  fields: string[],
  values: { name: string; email: string },
  problem?: string,
): Html {
  return portalDocument(
    view,
    'Billing information',
    html`<form class="panel stack" method="post" action="${portalAddress(view, 'billing')}" novalidate>${formTokenField()}
${fields.includes('name') && textField({ name: 'name', label: 'Name', value: values.name, autocomplete: 'name' })}
${
  fields.includes('email') &&
  textField({
    name: 'email',
    label: 'Billing email',
    type: 'email',
    value: values.email,
    autocomplete: 'email',
    problem,
    focus: problem !== undefined,
  })
}
<div class="actions"><button class="button main">Save</button>
<a class="button" href="${portalAddress(view)}">Go back</a></div>
</form>`,
  );
}
