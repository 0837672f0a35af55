import { generationFailures } from '#contract';
import { presentPasskey } from '#server/accounts/passkeys/present-passkey.ts';
import { factorsOf } from '#shared/data/accounts/two-factor.ts';
import type { CreditEntryRow } from '#shared/data/credit-entries.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import type { UserRow } from '#shared/data/users.ts';
import { optionsOf, promptOf } from '#shared/generations/generation-options.ts';
import { presentSubscription, presentUser } from '#shared/generations/present.ts';
import { usesImage } from '#shared/generations/uses-image.ts';
import { extensionOf, storageKeys } from '#shared/platform/storage.ts';

/** A file of a generation: its path in the ZIP and its key in the storage folder. */
interface ExportedFile {
  path: string;
  key: string;
}

/** The folder of a generation in the ZIP, `generations/<date>-<name>-<id>`, safe in every file system. */
function folderOf(row: GenerationRow): string {
  const name = row.product_name
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60);
  const date = row.created_at.toISOString().slice(0, 10);
  return `generations/${[date, name, row._id].filter(Boolean).join('-')}`;
}

/**
 * Photos, finished image and edited image of a generation. Photos that several generations share have the same path in
 * each. The edited image may not have been rendered yet.
 */
export function filesOf(row: GenerationRow): ExportedFile[] {
  const folder = folderOf(row);
  const photoFolder = row.photo_set === undefined ? folder : `photos/${row.photo_set}`;
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
    lastSignIn: profile.last_login,
    signIns: profile.login_count,
    passkeys: factorsOf(user)
      .passkeys.map(presentPasskey)
      .map(({ id: _, ...passkey }) => passkey),
    accountLocked: profile.account_locked,
    stripeCustomer: profile.stripe_customer_id,
    subscription: presentSubscription(profile),
    images: {
      granted: profile.granted,
      left: profile.generations_left,
      freeGranted: profile.welcome.granted,
      freeLeft: profile.welcome.left,
      used: profile.settled,
      forfeited: profile.forfeited,
      refunded: profile.refunded,
    },
  };
}

/** A generation with the names of its files. */
export function generationOf(row: GenerationRow): object {
  return {
    id: row._id,
    state: row.state,
    prompt: row.prompt,
    productName: row.product_name,
    sku: row.sku ?? '',
    project: row.project ?? row.profile,
    images: row.count,
    quality: row.quality ?? 'high',
    options: optionsOf(row),
    composedPrompt: promptOf(row),
    createdAt: row.created_at,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    failure: row.failure && generationFailures[row.failure.code],
    imageUsed: usesImage(row),
    model: row.provider?.model ?? null,
    edits: row.edits?.recipe ?? null,
    parent: row.parent ?? null,
    change: row.change?.instruction ?? null,
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

/** The text of README.txt. */
export function exportNotes(user: UserRow, at: Date): string {
  return [
    `Everything that Packshot keeps about ${user.email}, as of ${dateAndTime.format(at)} (UTC).`,
    '',
    'profile.json      who you are, your plan and your balance',
    'settings.json     your settings',
    'sessions.json     where you are signed in',
    'activity.json     your activity log, the oldest first',
    'ledger.json       every image that was added, used, given back or forfeited',
    'notifications.json  what you were notified of in the last 30 days',
    'projects.json     your projects',
    'batches.json      your batches, with their rows',
    'looks.json        your saved looks',
    'looks/            the small pictures of your looks, named by their ids',
    'generations.json  every generation with its description and the names of its files',
    'generations/      a folder for each generation with the finished image and, if you edited it, the edited image',
    'photos/           a folder with the photos of each request; older requests have theirs in generations/',
    '',
    'Times are in UTC. JSON files open in any text editor.',
    'Images that you deleted are not in here: only the ledger still counts them.',
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
