/** A sample of every mail, in each of its versions: for tests, and for viewing them. */

import type { MailKind } from '#shared/data/mail-kinds.ts';
import { type MailContent, type MailData, makeMail } from '#shared/mail/index.ts';
import { securityChanges } from '#shared/mail/templates/security.ts';

const at = new Date('2026-11-21T14:05:00Z');
const origin = 'https://packshot.example';

const everyKind: { [Kind in MailKind]: (fullName: string) => MailData<Kind> } = {
  verifyAddress: () => ({
    link: `${origin}/verify-email?token=v3r1fy&next=studio`,
    hours: 24,
    days: 7,
    freeImages: 3,
  }),
  addressTaken: (fullName) => ({
    fullName,
    signInLink: `${origin}/login`,
    resetLink: `${origin}/forgot-password`,
  }),
  resetPassword: (fullName) => ({ fullName, link: `${origin}/reset-password?token=r3s3t`, minutes: 30 }),
  passwordChanged: (fullName) => ({ fullName, at, resetLink: `${origin}/forgot-password` }),
  confirmNewAddress: () => ({
    newEmail: 'ada@new.example',
    link: `${origin}/confirm-email?token=m0v3`,
    hours: 24,
  }),
  addressChangeAsked: (fullName) => ({
    fullName,
    newEmail: 'ada@new.example',
    undoLink: `${origin}/undo-email?token=st0p`,
  }),
  addressChanged: (fullName) => ({
    fullName,
    newEmail: 'ada@new.example',
    at,
    undoLink: `${origin}/undo-email?token=b4ck`,
    until: new Date('2026-11-28T14:05:00Z'),
  }),
  addressChangeUndone: (fullName) => ({ fullName, oldEmail: 'ada@old.example', at }),
  newAddressTaken: () => undefined,
  accountLocked: (fullName) => ({
    fullName,
    locked: 'network',
    network: '203.0.113.7',
    unlockLink: `${origin}/unlock?token=0p3n`,
    resetLink: `${origin}/forgot-password`,
    minutes: 15,
  }),
  sessionLocked: (fullName) => ({
    fullName,
    device: 'Firefox on Windows',
    network: '203.0.113.7',
    ended: false,
    sessionsLink: `${origin}/profile/security#sessions`,
    resetLink: `${origin}/forgot-password`,
    minutes: 15,
  }),
  confirmReachable: (fullName) => ({
    fullName,
    link: `${origin}/confirm-reachable?token=r34ch`,
    hours: 48,
  }),
  dataExported: (fullName) => ({
    fullName,
    at,
    from: {
      device: 'Firefox on Windows',
      address: '203.0.113.7',
      resetLink: `${origin}/forgot-password`,
    },
  }),
  newSignIn: (fullName) => ({
    fullName,
    at,
    device: 'Firefox on Windows',
    address: '203.0.113.7',
    sessionsLink: `${origin}/profile/security#sessions`,
  }),
  twoFactorChanged: (fullName) => ({
    fullName,
    enabled: true,
    at,
    securityLink: `${origin}/profile/security`,
  }),
  recoveryCodeUsed: (fullName) => ({ fullName, left: 7, securityLink: `${origin}/profile/security` }),
  recoveryCodesMade: (fullName) => ({ fullName, at, securityLink: `${origin}/profile/security` }),
  securityChanged: (fullName) => ({
    fullName,
    change: 'security-emails-off',
    at,
    device: 'Firefox on Windows',
    address: '203.0.113.7',
    securityLink: `${origin}/profile/security`,
  }),
  twoFactorRemoved: (fullName) => ({ fullName, by: 'reset', at, days: 7, on: false }),
  twoFactorRemovalAsked: (fullName) => ({
    fullName,
    dueAt: at,
    keepLink: `${origin}/keep-two-factor?token=k33p`,
  }),
  passkeyAdded: (fullName) => ({
    fullName,
    name: 'Chrome on Windows',
    at,
    first: true,
    device: 'Chrome on Windows',
    address: '203.0.113.7',
    securityLink: `${origin}/profile/security`,
  }),
  passkeyRemoved: (fullName) => ({
    fullName,
    name: 'Chrome on Windows',
    at,
    last: false,
    securityLink: `${origin}/profile/security`,
  }),
  apiKeyMade: (fullName) => ({
    fullName,
    name: 'Shop import',
    may: [
      'See images and their state, and download them',
      'Make and stop images, which uses images of the plan',
    ],
    at,
    device: 'Chrome on Windows',
    address: '203.0.113.7',
    apiKeysLink: `${origin}/profile/api`,
  }),
  generationEnded: (fullName) => ({
    fullName,
    productName: 'Walnut desk lamp',
    outcome: 'succeeded',
    link: `${origin}/dashboard?generation=671f`,
    settingsLink: `${origin}/profile/preferences`,
    unsubscribeLink: `${origin}/unsubscribe?token=generationEnded.671f.s1gn3d`,
  }),
  batchEnded: (fullName) => ({
    fullName,
    name: 'Autumn catalogue',
    outcome: '118 images ready, 2 failed.',
    link: `${origin}/batch/671f`,
  }),
  webhookMade: (fullName) => ({
    fullName,
    host: 'hooks.shop.example',
    events: ['An image is ready', 'A batch is done'],
    at,
    device: 'Chrome on Windows',
    address: '203.0.113.7',
    link: `${origin}/profile/api`,
  }),
  webhookOff: (fullName) => ({
    fullName,
    host: 'hooks.shop.example',
    reason: 'failing',
    days: 3,
    link: `${origin}/profile/api`,
  }),
  paymentFailed: (fullName) => ({ fullName, graceUntil: at, portalLink: `${origin}/profile/plan` }),
  subscriptionEnded: (fullName) => ({
    fullName,
    planName: 'Freelance',
    imagesEndAt: at,
    subscribeLink: `${origin}/profile/plan`,
  }),
  accountDisabled: (fullName) => ({ fullName, planName: 'Freelance', endsAt: at, ended: true }),
  accountEnabled: (fullName) => ({ fullName, planName: 'Freelance', renewsAt: at, signInLink: origin }),
  deletionPlanned: (fullName) => ({ fullName, dueAt: at }),
  accountDeleted: (fullName) => ({ fullName }),
  contactMessage: (fullName) => ({
    fullName,
    email: 'ada@example.com',
    subject: 'support',
    message: 'The shadow of my lamp is on the wrong side.\n\nCan you <b>help</b>?',
    at,
    seller: null,
  }),
  contactReceived: () => ({ subject: 'support', at }),
  application: (fullName) => ({
    fullName,
    email: 'ada@example.com',
    position: 'product-engineer',
    message: 'I build image pipelines.\nMy portfolio is on request.',
    at,
  }),
  applicationReceived: () => ({ position: 'product-engineer', at }),
  alert: () => ({
    id: 'oldest-waiting.began.2026-11-21T14:05:00.000Z',
    alert: 'oldest-waiting',
    event: 'began',
    at,
    since: at,
    details: 'An image has been waiting for 12 min.',
    link: `${origin}/operator`,
  }),
};

/** Second versions of the kinds that have one. */
const secondVersions: readonly (readonly [string, (fullName: string) => MailContent])[] = [
  ...(['device', 'everybody'] as const).map(
    (locked) =>
      [
        `accountLocked, ${locked}`,
        (fullName: string) => makeMail('accountLocked', { ...everyKind.accountLocked(fullName), locked }),
      ] as const,
  ),
  [
    'accountLocked, by codes',
    (fullName) => makeMail('accountLocked', { ...everyKind.accountLocked(fullName), unlockLink: null }),
  ],
  [
    'resetPassword, with young two-factor sign-in',
    (fullName) => makeMail('resetPassword', { ...everyKind.resetPassword(fullName), youngFactorDays: 7 }),
  ],
  ...securityChanges.map(
    (change) =>
      [
        `securityChanged, ${change}`,
        (fullName: string) => makeMail('securityChanged', { ...everyKind.securityChanged(fullName), change }),
      ] as const,
  ),
  ...(['undo', 'support'] as const).map(
    (by) =>
      [
        `twoFactorRemoved, ${by}`,
        (fullName: string) => makeMail('twoFactorRemoved', { ...everyKind.twoFactorRemoved(fullName), by }),
      ] as const,
  ),
  [
    'sessionLocked, ended',
    (fullName) => makeMail('sessionLocked', { ...everyKind.sessionLocked(fullName), ended: true }),
  ],
  [
    'twoFactorChanged, off',
    (fullName) =>
      makeMail('twoFactorChanged', {
        fullName,
        enabled: false,
        at,
        securityLink: `${origin}/profile/security`,
      }),
  ],
  [
    'contactMessage, of an enterprise seller',
    (fullName) =>
      makeMail('contactMessage', {
        ...everyKind.contactMessage(fullName),
        seller: { id: '671f00000000000000000001', email: 'studio@example.com', plan: 'enterprise' },
      }),
  ],
  [
    'application, without a message',
    (fullName) => makeMail('application', { ...everyKind.application(fullName), message: '' }),
  ],
  [
    'generationEnded, failed',
    (fullName) =>
      makeMail('generationEnded', {
        fullName,
        productName: 'Walnut desk lamp',
        outcome: 'failed',
        reason: 'The photos show no product that could be cut out.',
        link: `${origin}/dashboard?generation=671f`,
        settingsLink: `${origin}/profile/preferences`,
        unsubscribeLink: `${origin}/unsubscribe?token=generationEnded.671f.s1gn3d`,
      }),
  ],
  ['dataExported, by support', (fullName) => makeMail('dataExported', { fullName, at, from: null })],
  ['accountDeleted, by support', (fullName) => makeMail('accountDeleted', { fullName, byOperator: true })],
  [
    'accountDisabled, with the period',
    (fullName) => makeMail('accountDisabled', { fullName, planName: 'Freelance', endsAt: at, ended: false }),
  ],
  ...[at, null].map(
    (imagesEndAt) =>
      [
        `subscriptionEnded, disabled, images kept ${imagesEndAt === null ? 'for ever' : 'for a time'}`,
        (fullName: string) =>
          makeMail('subscriptionEnded', {
            fullName,
            planName: 'Freelance',
            imagesEndAt,
            subscribeLink: null,
          }),
      ] as const,
  ),
  [
    'paymentFailed, without grace',
    (fullName) =>
      makeMail('paymentFailed', { fullName, graceUntil: null, portalLink: `${origin}/profile/plan` }),
  ],
];

/** A name for the mail, and a function that makes it for a recipient. */
export type MailSample = readonly [name: string, make: (fullName: string) => MailContent];

/** Every mail in every version. */
export const mailSamples: readonly MailSample[] = [
  ...(Object.keys(everyKind) as MailKind[]).map((kind) => sampleOf(kind)),
  ...secondVersions,
];

function sampleOf<Kind extends MailKind>(kind: Kind): MailSample {
  return [kind, (fullName) => makeMail(kind, everyKind[kind](fullName))];
}
