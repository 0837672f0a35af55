/** Mails about the email address of an account: verification, changes, and addresses that are taken. */

import { countLabel, dateLabel } from '#shared/mail/labels.ts';
import { button, composeMail, facts, type MailContent, paragraph, smallPrint } from '#shared/mail/layout.ts';
import { oneLine } from '#shared/mail/one-line.ts';

/**
 * After sign-up. It greets without the name, which anybody may have chosen for this address.
 * @param data hours: how long the link works; days: after which an unverified account is removed; freeImages: how many the
 *   account may get, 0 for none
 */
export function verifyAddress(data: {
  link: string;
  hours: number;
  days: number;
  freeImages: number;
}): MailContent {
  const { freeImages } = data;
  const free = `Your first ${freeImages === 1 ? 'image is' : `${freeImages} images are`} free, and you don't need a card.`;
  return composeMail({
    subject: 'Confirm your email',
    heading: 'Confirm your email',
    blocks: [
      paragraph(`Welcome to Packshot. Confirm your email to get started.${freeImages > 0 ? ` ${free}` : ''}`),
      button('Confirm my email', data.link),
      smallPrint(
        `The link works for ${countLabel(data.hours, 'hour')}. If you didn't sign up, ignore this email. An account that isn't confirmed is removed after ${countLabel(data.days, 'day')}.`,
      ),
    ],
  });
}

/** Instead of `verifyAddress` if the address has an account: the sign-up page is the same in both cases. */
export function addressTaken(data: { fullName: string; signInLink: string; resetLink: string }): MailContent {
  return composeMail({
    subject: 'You already have a Packshot account',
    heading: 'You already have an account',
    fullName: data.fullName,
    blocks: [
      paragraph(
        'Someone just tried to sign up for Packshot with this email address. You already have an account with it, so nothing has changed.',
      ),
      paragraph('If this was you, just sign in.'),
      button('Sign in', data.signInLink),
      smallPrint('Forgot your password?', 'Reset it', data.resetLink),
      smallPrint(
        "If this wasn't you, no action is needed. Whoever it was doesn't know that you have an account.",
      ),
    ],
  });
}

/** To the new address, before the change: without the name, as after sign-up. @param data hours: how long the link works */
export function confirmNewAddress(data: { newEmail: string; link: string; hours: number }): MailContent {
  return composeMail({
    subject: 'Confirm your new email',
    heading: 'Confirm your new email',
    blocks: [
      paragraph('You asked to change the email address of your Packshot account to this one:'),
      facts(['New address', oneLine(data.newEmail)]),
      button('Use this address', data.link),
      smallPrint(
        `We'll ask for your password. The link works for ${countLabel(data.hours, 'hour')}. Until you confirm, your old address stays in use. If you didn't request this, ignore this email.`,
      ),
    ],
  });
}

/** To the old address, when a change is requested. @param data undoLink: stops the change */
export function addressChangeAsked(data: {
  fullName: string;
  newEmail: string;
  undoLink: string;
}): MailContent {
  return composeMail({
    subject: 'Your email address is about to change',
    heading: 'Your email address is about to change',
    fullName: data.fullName,
    blocks: [
      paragraph('We received a request to change the email address of your Packshot account:'),
      facts(['New address', oneLine(data.newEmail)]),
      paragraph(
        'It changes once someone opens the link we sent there and enters your password. Until then you sign in as before.',
      ),
      paragraph(
        "If this wasn't you, someone knows your password. Stop the change here: you'll set a new password, and you'll be signed out everywhere.",
      ),
      button("This wasn't me", data.undoLink),
    ],
  });
}

/** To the old address, after the change. @param data undoLink: restores the old address; until: when it expires */
export function addressChanged(data: {
  fullName: string;
  newEmail: string;
  at: Date;
  undoLink: string;
  until: Date;
}): MailContent {
  return composeMail({
    subject: 'Your email address was changed',
    heading: 'Your email address was changed',
    fullName: data.fullName,
    blocks: [
      paragraph(
        'Your Packshot account now uses a new email address. Sign in with it from now on; we send all emails there.',
      ),
      facts(['New address', oneLine(data.newEmail)], ['Changed', dateLabel(data.at)]),
      paragraph(
        "If this wasn't you, recover your account: it returns to this address, you'll set a new password, and you'll be signed out everywhere.",
      ),
      button("This wasn't me", data.undoLink),
      smallPrint(`The link works until ${dateLabel(data.until)}.`),
    ],
  });
}

/** To the new address, after the change was undone. @param data oldEmail: the restored address */
export function addressChangeUndone(data: { fullName: string; oldEmail: string; at: Date }): MailContent {
  return composeMail({
    subject: 'Your email address was changed back',
    heading: 'Your email address was changed back',
    fullName: data.fullName,
    blocks: [
      paragraph(
        "Someone used the “This wasn't me” link that we sent to your old email address, so your Packshot account uses that address again:",
      ),
      facts(['Address', oneLine(data.oldEmail)], ['Changed back', dateLabel(data.at)]),
      paragraph(
        'Your password was changed, and you were signed out everywhere. Sign in with that address. If you no longer receive email there, reply to this email.',
      ),
    ],
  });
}

/** To the owner of an address that another account tried to change to. */
export function newAddressTaken(): MailContent {
  return composeMail({
    subject: 'Someone tried to use your email address',
    heading: 'Someone tried to use your email address',
    blocks: [
      paragraph(
        'Someone tried to use this email address for another Packshot account. You already have an account with it, so nothing has changed.',
      ),
      smallPrint("If this was you, sign in with this address instead. If it wasn't, no action is needed."),
    ],
  });
}
