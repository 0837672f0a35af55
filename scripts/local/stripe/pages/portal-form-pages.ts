/** The portal's pages with a form: cancel, add a card. */
import { type Html, html } from '../../html.ts';
import type { Subscription } from '../objects.ts';
import type { PortalView } from '../views.ts';
import { formTokenField } from './answer.ts';
import { type CardEntry, type CardProblems, cardFields, testCardRow } from './card-form.ts';
import { formatDay, messageBox } from './layout.ts';
import { portalAddress } from './portal-access.ts';
import { portalDocument } from './portal-page.ts';
import { periodEnd } from './portal-plan.ts';

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
