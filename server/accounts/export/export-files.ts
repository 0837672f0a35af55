import { cutText, failureMessage } from '#contract';
import { presentPasskey } from '#server/accounts/passkeys/present-passkey.ts';
import { presentUser } from '#server/accounts/present.ts';
import { usesImage } from '#shared/credits/holds.ts';
import { packImagesOf } from '#shared/credits/pack-images.ts';
import type { AccountTokenRow } from '#shared/data/accounts/account-tokens.ts';
import type { ExportedFileName } from '#shared/data/accounts/seller-places.ts';
import type { KnownDeviceRow } from '#shared/data/accounts/sign-in.ts';
import { factorsOf } from '#shared/data/accounts/two-factor.ts';
import type { UserRow } from '#shared/data/accounts/users.ts';
import type { CreditEntryRow } from '#shared/data/billing/credit-entries.ts';
import type { UnpaidCallsRow } from '#shared/data/billing/unpaid-calls.ts';
import type { RefusalRow } from '#shared/data/generations/refusals.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import type { MailRow } from '#shared/data/mails.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import { noDailyImages } from '#shared/platform/daily-images.ts';
import { extensionOf, storageKeys } from '#shared/storage/storage.ts';
import { promptOf } from '#shared/views/generation.ts';
import { presentSubscription } from '#shared/views/subscription.ts';

/** A file of a generation: its path in the ZIP and its key in the storage folder. */
interface ExportedFile {
  path: string;
  key: string;
}

/** The folder of a generation in the ZIP, `generations/<date>-<name>-<id>`, safe in every file system. */
function folderOf(row: GenerationRow): string {
  const name = cutText(row.product_name.replace(/[^\p{L}\p{M}\p{N}]+/gu, '-').replace(/^-+|-+$/g, ''), 60);
  const date = row.created_at.toISOString().slice(0, 10);
  return `generations/${[date, name, row._id].filter(Boolean).join('-')}`;
}

/**
 * Photos, finished image and edited image of a generation. Photos that several generations share have the same path in
 * each. The edited image may not have been rendered yet.
 */
export function filesOf(row: GenerationRow): ExportedFile[] {
  const folder = folderOf(row);
  const photoFolder = `photos/${row.photo_set}`;
  const files = row.photos.map(({ key }, index) => ({
    path: `${photoFolder}/photo-${index + 1}.${extensionOf(key)}`,
    key,
  }));
  if (row.image) files.push({ path: `${folder}/image.png`, key: row.image.key });
  if (row.change) files.push({ path: `${folder}/changed.png`, key: row.change.image_key });
  if (row.change?.mask_key) files.push({ path: `${folder}/mask.png`, key: row.change.mask_key });
  if (row.image && row.edits) {
    files.push({ path: `${folder}/image-edited.png`, key: storageKeys.edited(row._id, row.edits.version) });
  }
  return files;
}

/** What is stored about the seller, without credentials. */
export function profileOf(user: UserRow, profile: ProfileRow): object {
  return {
    ...presentUser(profile),
    email: user.email,
    emailVerified: profile.email_verified,
    passwordChangedAt: user.password_changed_at,
    twoFactorSince: user.two_factor?.since ?? null,
    addressUndone: user.undone,
    lastSignIn: profile.last_login,
    signIns: profile.login_count,
    passkeys: factorsOf(user)
      .passkeys.map(presentPasskey)
      .map(({ id: _, ...passkey }) => passkey),
    accountLocked: profile.account_locked,
    stripeCustomer: profile.stripe_customer_id,
    subscription: presentSubscription(profile, noDailyImages),
    images: {
      granted: profile.granted,
      left: profile.generations_left,
      freeGranted: profile.free_images.granted,
      freeLeft: profile.free_images.left,
      packsBought: packImagesOf(profile).bought,
      packsLeft: packImagesOf(profile).left,
      used: profile.settled,
      forfeited: profile.forfeited,
      refunded: profile.refunded,
    },
    // Everything else that the document has, so that a new field is never left out.
    record: profile,
  };
}

/** An address that is stored with an account besides its own: the next one, or the previous one while it can be restored. */
export function addressOf({
  kind,
  email,
  created_at: createdAt,
  expires_at: expiresAt,
}: AccountTokenRow): object {
  const use = {
    'verify-email': 'link that confirms your address',
    'reset-password': 'link for a new password',
    'change-email': 'link that confirms your new address',
    'undo-email': 'your previous address, which is reserved for you until then',
    unlock: 'link that unlocks your account',
    'keep-two-factor': 'link that keeps two-factor sign-in on',
    'confirm-reachable': 'link that shows that our email reaches you',
  } as const satisfies Record<AccountTokenRow['kind'], string>;
  return { use: use[kind], address: email, createdAt, expiresAt };
}

/** A browser that is known to an account. */
export function deviceOf({ created_at, last_used_at, expires_at }: KnownDeviceRow): object {
  return { knownSince: created_at, lastUsedAt: last_used_at, expiresAt: expires_at };
}

/** A mail to the seller, without its content, whose links give access to the account. */
export function mailOf(
  row: Pick<MailRow, 'kind' | 'to' | 'subject' | 'created_at' | 'ended_at' | 'failure' | 'suppressed'>,
): object {
  const { kind, to, subject, created_at: createdAt, ended_at: endedAt, failure, suppressed } = row;
  return { kind, to, subject, createdAt, endedAt, problem: suppressed ?? failure };
}

/** A day with calls to the image service that no image paid for. */
export function unpaidCallsOf({ _id, calls, forgiven }: UnpaidCallsRow): object {
  return { day: _id.split(':').at(-1), calls, forgiven };
}

/** A generation that the content policy declined. */
export function refusalOf({ _id, at, stage, categories }: RefusalRow): object {
  return { generation: _id, at, declined: stage, categories };
}

/** A generation with the names of its files. */
export function generationOf(row: GenerationRow): object {
  return {
    id: row._id,
    state: row.state,
    prompt: row.prompt,
    productName: row.product_name,
    sku: row.sku ?? '',
    ...(row.asin !== undefined && { asin: row.asin }),
    project: row.project ?? row.profile,
    apiKey: row.api_key?.name ?? null,
    images: row.count,
    quality: row.quality,
    options: row.options,
    composedPrompt: promptOf(row),
    createdAt: row.created_at,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    failure: row.failure && failureMessage(row.failure),
    imageUsed: usesImage(row),
    model: row.provider?.model ?? null,
    edits: row.edits?.recipe ?? null,
    parent: row.parent ?? null,
    change: row.change?.instruction ?? null,
    inTrashSince: row.deletion?.at ?? null,
    files: filesOf(row).map(({ path }) => path),
  };
}

/** A line of the ledger. */
export function ledgerLineOf(row: CreditEntryRow): object {
  const about = ['settle', 'release', 'remake'].includes(row.kind)
    ? { generation: row.key }
    : { booking: row.key };
  return { kind: row.kind, images: row.count, at: row.at, period: row.period, ...about };
}

const dateAndTime = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

/** What each file of the export has. */
const contents: Readonly<Record<ExportedFileName, string>> = {
  'profile.json': 'who you are, your plan and your balance, and everything that is stored with them',
  'settings.json': 'your settings',
  'sessions.json': 'where you are signed in',
  'api-keys.json':
    'your API keys: their names, what they may do and when they were used, without the keys themselves',
  'webhooks.json': 'your webhooks: their addresses and events, without their secrets',
  'webhook-deliveries.json': 'what your webhooks were sent in the last 30 days, and what they answered',
  'events.json': 'what your programs could read of what happened in the last days',
  'devices.json': 'browsers that have signed in before, by a cookie',
  'addresses.json': 'links in emails to you that still work, and addresses that are kept for you with them',
  'activity.json': 'your activity log, the oldest first',
  'ledger.json': 'every image that was added, used, given back or forfeited',
  'notifications.json': 'what you were notified of in the last 30 days',
  'mails.json': 'emails to you of the last days: when, about what, and whether they were sent',
  'projects.json': 'your projects',
  'batches.json': 'your batches, with their rows',
  'looks.json': 'your saved looks',
  'export-presets.json': 'the export presets that you made',
  'unpaid-calls.json': 'images of the last days that were stopped early or gave no result',
  'refusals.json': 'images of the last 90 days that the content policy of the image service declined',
  'generations.json':
    'every generation with its description and the names of its files; those in the trash say since when',
};

/** The text of README.txt. */
export function exportNotes(user: UserRow, at: Date): string {
  return [
    `Everything that Packshot keeps about ${user.email}, as of ${dateAndTime.format(at)} (UTC).`,
    '',
    ...Object.entries(contents).map(([name, what]) => `${name.padEnd(23)} ${what}`),
    'looks/                  the small pictures of your looks, named by their ids',
    'generations/            a folder for each generation with the finished image and, if you edited it, the edited image',
    'photos/                 a folder with the photos of each request; older requests have theirs in generations/',
    '',
    'Times are in UTC. JSON files open in any text editor.',
    'Images in your trash are in here, marked with the time at which they were moved there (inTrashSince).',
    'Images that were deleted for ever are not: only the ledger still counts them.',
    'Your password, the secret of your authenticator app, the keys of your passkeys and your recovery codes are not in here:',
    'they are what opens your account, and of password and recovery codes we only keep hashes.',
    'Cards and invoices are kept by Stripe: open them with Manage Billing under Plan & billing in your account settings.',
    '',
  ].join('\n');
}

/** The text of missing.txt: the files that are not in the storage folder, and edited images that could not be rendered. */
export function missingNotes(paths: string[]): string {
  return [
    'These files could not be read. Please export again later. If they are still missing, please write to us.',
    '',
    ...paths,
    '',
  ].join('\n');
}
