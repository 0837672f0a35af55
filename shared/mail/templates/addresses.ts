/** Mails about the address of an account: verifying it, moving to another, and addresses that are taken. */

import { counted, inWords } from '#shared/mail/labels.ts';
import { button, composeMail, facts, type MailContent, paragraph, smallPrint } from '#shared/mail/layout.ts';
import { oneLine } from '#shared/mail/one-line.ts';

/** After sign-up. @param data.hours how long the link works; days: how long the account waits for that */
export function verifyAddress(data: {
  fullName: string;
  link: string;
  hours: number;
  days: number;
}): MailContent {
  return composeMail({
    subject: 'Verify your address',
    heading: 'Please verify your address',
    fullName: data.fullName,
    blocks: [
      paragraph(
        'Welcome to Packshot. One click confirms that this address is yours, so that we can reach you when it matters.',
      ),
      button('Verify my address', data.link),
      smallPrint(
        `The link works for ${counted(data.hours, 'hour')}. If you did not sign up, ignore this mail: nothing else will follow, and an account that nobody confirms is removed after ${counted(data.days, 'day')}.`,
      ),
    ],
  });
}

/** Instead of `verifyAddress`, when the address has an account: the sign-up page says the same in both cases. */
export function addressTaken(data: { fullName: string; signInLink: string; resetLink: string }): MailContent {
  return composeMail({
    subject: 'You already have a Packshot account',
    heading: 'You already have an account',
    fullName: data.fullName,
    blocks: [
      paragraph(
        'Somebody just tried to sign up to Packshot with this address. You have an account with it already, so no second one was made and nothing has changed.',
      ),
      paragraph('If it was you, simply sign in.'),
      button('Sign in', data.signInLink),
      smallPrint('Forgotten your password?', 'Choose a new one', data.resetLink),
      smallPrint('If it was not you, there is nothing to do: whoever it was has learned nothing about you.'),
    ],
  });
}

/** To the new address, before the account moves there. @param data.hours how long the link works */
export function confirmNewAddress(data: {
  fullName: string;
  newEmail: string;
  link: string;
  hours: number;
}): MailContent {
  return composeMail({
    subject: 'Confirm your new address',
    heading: 'Confirm your new address',
    fullName: data.fullName,
    blocks: [
      paragraph('You asked to use this address for your Packshot account from now on:'),
      facts(['New address', oneLine(data.newEmail)]),
      button('Use this address', data.link),
      smallPrint(
        `We'll ask for the password of your account. The link works for ${counted(data.hours, 'hour')}; until then your old address stays in use. If you did not ask for this, ignore this mail.`,
      ),
    ],
  });
}

/** To the old address, when somebody asks to move the account to another. @param data.undoLink stops it */
export function addressChangeAsked(data: {
  fullName: string;
  newEmail: string;
  undoLink: string;
}): MailContent {
  return composeMail({
    subject: 'Your address is about to change',
    heading: 'A new address for your account',
    fullName: data.fullName,
    blocks: [
      paragraph('Somebody who is signed in to your Packshot account asked to use another address for it:'),
      facts(['New address', oneLine(data.newEmail)]),
      paragraph(
        'It changes once the link that we sent there is opened and your password is entered. Until then you sign in as before.',
      ),
      paragraph(
        "If this wasn't you, somebody knows your password. Stop the change here: you choose a new password, and every device is signed out.",
      ),
      button("This wasn't me", data.undoLink),
    ],
  });
}

/**
 * To the old address, after the account has moved.
 * @param data.undoLink brings the account back; data.until: for how long
 */
export function addressChanged(data: {
  fullName: string;
  newEmail: string;
  at: Date;
  undoLink: string;
  until: Date;
}): MailContent {
  return composeMail({
    subject: 'Your address was changed',
    heading: 'Your address was changed',
    fullName: data.fullName,
    blocks: [
      paragraph(
        'Your Packshot account now uses another address. From now on you sign in with it, and our mails go there.',
      ),
      facts(['New address', oneLine(data.newEmail)], ['Changed', inWords(data.at)]),
      paragraph(
        "If this wasn't you, take your account back: it returns to this address, you choose a new password, and every device is signed out.",
      ),
      button("This wasn't me", data.undoLink),
      smallPrint(`The link works until ${inWords(data.until)}.`),
    ],
  });
}

/** To the address that an account is moved back from. @param data.oldEmail the one that it has again */
export function addressChangeUndone(data: { fullName: string; oldEmail: string; at: Date }): MailContent {
  return composeMail({
    subject: 'Your address was changed back',
    heading: 'Your address was changed back',
    fullName: data.fullName,
    blocks: [
      paragraph(
        "Somebody opened the “This wasn't me” link that we sent to your old address, so your Packshot account uses that address again:",
      ),
      facts(['Address', oneLine(data.oldEmail)], ['Changed back', inWords(data.at)]),
      paragraph(
        'Your password was replaced, and every device was signed out. Sign in with that address; if you no longer receive mail there, write to us.',
      ),
    ],
  });
}

/** To the owner of an address that another account asked to move to. */
export function newAddressTaken(): MailContent {
  return composeMail({
    subject: 'Another account asked for your address',
    heading: 'Your address stays yours',
    blocks: [
      paragraph(
        'Somebody asked to use this address for another Packshot account. You have an account with it already, so we did not allow it and nothing has changed.',
      ),
      smallPrint('If it was you, sign in with this address instead. If it was not, there is nothing to do.'),
    ],
  });
}
