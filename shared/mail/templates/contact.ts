/** Mails about messages of the contact form and about applications: to us, and to their senders. */

import {
  type ContactSubject,
  contactSubjects,
  cutText,
  type PlanId,
  type PositionId,
  plans,
  positions,
} from '#contract';
import { dateLabel } from '#shared/mail/labels.ts';
import { composeMail, facts, type MailContent, paragraph, quote, smallPrint } from '#shared/mail/layout.ts';
import { inOneLine, oneLine } from '#shared/mail/one-line.ts';

/** The signed-in seller who sent a message. `plan`: the paid plan; null without one. */
export interface MessageSeller {
  id: string;
  email: string;
  plan: PlanId | null;
}

const replyReachesSender = 'Reply to this email to answer the sender.';

/** To us: a message of the contact form. @param data seller: null if the sender was not signed in */
export function contactMessage(data: {
  fullName: string;
  email: string;
  subject: ContactSubject;
  message: string;
  at: Date;
  seller: MessageSeller | null;
}): MailContent {
  const { seller } = data;
  const name = oneLine(data.fullName);
  // The plan's "Dedicated support": the mailbox can sort by it.
  const mark = seller?.plan === 'enterprise' ? '[Enterprise] ' : '';
  const plan = seller?.plan ? plans[seller.plan].name : 'none paid';
  return composeMail({
    subject: `${mark}${contactSubjects[data.subject]} from ${shortened(data.fullName)}`,
    heading: `${mark}${contactSubjects[data.subject]}`,
    greeting: null,
    footer: replyReachesSender,
    blocks: [
      facts(
        ['From', name],
        ['Email', oneLine(data.email)],
        ['Sent', dateLabel(data.at)],
        ...(seller
          ? ([
              ['Seller', seller.id],
              ['Account', oneLine(seller.email)],
              ['Plan', plan],
            ] as const)
          : ([['Seller', 'not signed in']] as const)),
      ),
      quote(data.message),
    ],
  });
}

/** To the sender of a message. It has nothing that the sender wrote, because the address may be someone else's. */
export function contactReceived(data: { subject: ContactSubject; at: Date }): MailContent {
  return composeMail({
    subject: 'We received your message',
    heading: 'We received your message',
    blocks: [
      paragraph("Thanks for writing to us. We've received your message and will answer to this address."),
      facts(['Subject', contactSubjects[data.subject]], ['Received', dateLabel(data.at)]),
      smallPrint("If you didn't write to us, no action is needed: someone entered your address by mistake."),
    ],
  });
}

/** To us: an application. The CV is its attachment. */
export function application(data: {
  fullName: string;
  email: string;
  position: PositionId;
  message: string;
  at: Date;
}): MailContent {
  const name = oneLine(data.fullName);
  return composeMail({
    subject: `Application: ${positions[data.position]}, ${shortened(data.fullName)}`,
    heading: `Application: ${positions[data.position]}`,
    greeting: null,
    footer: replyReachesSender,
    blocks: [
      facts(['From', name], ['Email', oneLine(data.email)], ['Sent', dateLabel(data.at)]),
      ...(data.message === '' ? [] : [quote(data.message)]),
      smallPrint('The CV is attached. It was sent by a stranger: open it with care.'),
    ],
  });
}

/** To an applicant. It has nothing that the applicant wrote, because the address may be someone else's. */
export function applicationReceived(data: { position: PositionId; at: Date }): MailContent {
  return composeMail({
    subject: 'We received your application',
    heading: 'We received your application',
    blocks: [
      paragraph(
        "Thanks for applying. We've received your application and your CV, and will answer to this address.",
      ),
      facts(['Position', positions[data.position]], ['Received', dateLabel(data.at)]),
      smallPrint("If you didn't apply, no action is needed: someone entered your address by mistake."),
    ],
  });
}

/** A name in a subject, cut so that mailboxes show the rest. */
function shortened(fullName: string): string {
  const name = inOneLine(fullName);
  return oneLine(name.length <= 30 ? name : `${cutText(name, 29).trim()}…`);
}
