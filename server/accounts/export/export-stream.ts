import { Readable } from 'node:stream';
import { presentApiKey } from '#server/accounts/api-keys/present-api-key.ts';
import { presentActivity, presentSession, presentSettings } from '#server/accounts/present.ts';
import type { ServerContext } from '#server/http/context.ts';
import { createZip } from '#server/http/zip-entries.ts';
import { presentOwnPreset } from '#server/images/present-own-preset.ts';
import { renderEdits } from '#server/images/render-edits.ts';
import { presentLook } from '#server/looks/look.ts';
import { presentDelivery, presentWebhook } from '#server/webhooks/present.ts';
import { batchView } from '#shared/batches/views.ts';
import { listTokens } from '#shared/data/accounts/account-tokens.ts';
import { activitiesOf } from '#shared/data/accounts/activities.ts';
import { listApiKeys } from '#shared/data/accounts/api-keys.ts';
import type { ExportedFileName } from '#shared/data/accounts/seller-places.ts';
import { listSessions } from '#shared/data/accounts/sessions.ts';
import { listDevices } from '#shared/data/accounts/sign-in.ts';
import { findSettings, type UserSettingsRow } from '#shared/data/accounts/user-settings.ts';
import { findUser, type UserRow } from '#shared/data/accounts/users.ts';
import { listBatches } from '#shared/data/batches/batches.ts';
import { creditEntriesOf } from '#shared/data/billing/credit-entries.ts';
import { listUnpaidCalls } from '#shared/data/billing/unpaid-calls.ts';
import { generationsOf } from '#shared/data/generations/find.ts';
import { listRefusals } from '#shared/data/generations/refusals.ts';
import { listLooks } from '#shared/data/looks.ts';
import { mailsTo } from '#shared/data/mails.ts';
import { notificationsOf } from '#shared/data/notifications.ts';
import { listOwnPresets } from '#shared/data/own-presets.ts';
import { findProfile } from '#shared/data/profiles/find.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import { listProjects } from '#shared/data/projects.ts';
import { deliveriesOf } from '#shared/data/webhooks/deliveries.ts';
import { listWebhooks } from '#shared/data/webhooks/endpoints.ts';
import { eventsOf } from '#shared/data/webhooks/events.ts';
import { storageKeys } from '#shared/storage/storage.ts';
import { StorageError } from '#shared/storage/storage-error.ts';
import { presentNotification } from '#shared/views/notification.ts';
import {
  addressOf,
  deviceOf,
  exportNotes,
  filesOf,
  generationOf,
  ledgerLineOf,
  mailOf,
  missingNotes,
  profileOf,
  refusalOf,
  unpaidCallsOf,
} from './export-files.ts';
import { jsonList, jsonText } from './json-stream.ts';

/** The seller whose data is exported. */
interface ExportSubject {
  user: UserRow;
  profile: ProfileRow;
  settings: UserSettingsRow;
  /** The seller's session that asks; empty if an operator does. */
  sessionId: string;
}

type ExportContext = Pick<ServerContext, 'db' | 'storage' | 'decoder' | 'log'>;

/**
 * The export of a seller, for the seller or for an operator: one path, so that both get the same.
 * @param sessionId the seller's session that asks; empty if an operator does
 * @returns null if there is no such account, or it is being deleted
 */
export async function exportOf(
  context: ExportContext,
  sellerId: string,
  sessionId = '',
): Promise<Readable | null> {
  const [user, profile, settings] = await Promise.all([
    findUser(context.db, sellerId),
    findProfile(context.db, sellerId),
    findSettings(context.db, sellerId),
  ]);
  if (!user || !profile || !settings) return null;
  const stream = exportStream(context, { user, profile, settings, sessionId });
  stream.on('error', (error) =>
    context.log.warn({ err: error, seller: sellerId }, 'an export was interrupted'),
  );
  return stream;
}

/**
 * All data of a seller as a ZIP: what is stored about them as JSON, and every photo, finished image and edited
 * image. Without credentials (hashes, secrets, ids of sessions). The ZIP is written while it is read, one file at a time.
 * Destroying the stream stops it.
 */
function exportStream(
  context: ExportContext,
  { user, profile, settings, sessionId }: ExportSubject,
): Readable {
  const { db, storage, log } = context;
  const zip = createZip();
  const now = new Date();
  const sellerId = user._id;
  const text = (path: string, content: string) =>
    zip.add(path, async () => Readable.from([content]), { at: now, packed: false });
  const list = <Row>(path: string, rows: () => AsyncIterable<Row>, present: (row: Row) => unknown) =>
    zip.add(path, async () => jsonList(rows(), present), { at: now, packed: false });
  async function* sessions() {
    yield* await listSessions(db, sellerId);
  }
  async function* projects() {
    yield* await listProjects(db, sellerId);
  }
  async function* batches() {
    for (const row of await listBatches(db, sellerId)) {
      const { items, photosMissing: _, missing: __, ...batch } = await batchView(db, row, true);
      yield { ...batch, rows: items };
    }
  }
  async function* rowsOf<Row>(rows: Promise<readonly Row[]>) {
    yield* await rows;
  }
  const generations = () => generationsOf(db, sellerId);

  /** What writes each file: the list of places (shared/data/accounts/seller-places.ts) says which there are. */
  const files: { [Name in ExportedFileName]: (name: Name) => Promise<void> } = {
    'profile.json': (name) => text(name, jsonText(profileOf(user, profile))),
    'settings.json': (name) => text(name, jsonText(presentSettings(settings))),
    'sessions.json': (name) =>
      list(name, sessions, (row) => {
        const { id: _, ...session } = presentSession(row, sessionId);
        return session;
      }),
    'api-keys.json': async (name) =>
      text(name, jsonText((await listApiKeys(db, sellerId)).map(presentApiKey))),
    'webhooks.json': async (name) =>
      text(name, jsonText((await listWebhooks(db, sellerId)).map(presentWebhook))),
    'webhook-deliveries.json': (name) =>
      list(
        name,
        () => deliveriesOf(db, sellerId),
        (row) => ({ webhookId: row.endpoint, ...presentDelivery(row) }),
      ),
    'events.json': (name) =>
      list(
        name,
        () => eventsOf(db, sellerId),
        ({ _id, body }) => ({ id: _id, body }),
      ),
    'devices.json': (name) => list(name, () => rowsOf(listDevices(db, sellerId)), deviceOf),
    'addresses.json': (name) => list(name, () => rowsOf(listTokens(db, sellerId)), addressOf),
    'activity.json': (name) =>
      list(
        name,
        () => activitiesOf(db, sellerId),
        (row) => {
          const { id: _, ...activity } = presentActivity(row);
          return activity;
        },
      ),
    'ledger.json': (name) => list(name, () => creditEntriesOf(db, sellerId), ledgerLineOf),
    'notifications.json': (name) =>
      list(
        name,
        () => notificationsOf(db, sellerId),
        (row) => {
          const { id: _, ...notification } = presentNotification(row);
          return notification;
        },
      ),
    'mails.json': (name) => list(name, () => mailsTo(db, user.email), mailOf),
    'projects.json': (name) =>
      list(name, projects, ({ _id: id, name: title, created_at: createdAt }) => ({
        id,
        name: title,
        createdAt,
      })),
    'batches.json': (name) => list(name, batches, (row) => row),
    'looks.json': async (name) => text(name, jsonText((await listLooks(db, sellerId)).map(presentLook))),
    'export-presets.json': async (name) =>
      text(name, jsonText((await listOwnPresets(db, sellerId)).map(presentOwnPreset))),
    'refusals.json': (name) =>
      list(name, () => rowsOf(listRefusals(db, sellerId, new Date(0), 10_000)), refusalOf),
    'unpaid-calls.json': (name) => list(name, () => rowsOf(listUnpaidCalls(db, sellerId)), unpaidCallsOf),
    'generations.json': (name) => list(name, generations, generationOf),
  };

  async function write(): Promise<void> {
    await text('README.txt', exportNotes(user, now));
    for (const [name, add] of Object.entries(files)) await add(name as never);
    const missing: string[] = [];
    for (const row of (await listLooks(db, sellerId)).filter(({ picture }) => picture)) {
      await addFile(`looks/${row._id}.webp`, storageKeys.lookPicture(row._id), row.created_at, missing);
    }
    // The photos that generations share are written with the first one.
    const photos = new Set<string>();
    for await (const row of generations()) {
      // One that cannot be rendered now is reported as missing.
      await renderEdits(context, row, zip.closed).catch((error) => {
        if (error instanceof StorageError || zip.closed.aborted) throw error;
        log.warn({ err: error, generation: row._id }, 'an edited image could not be rendered for an export');
      });
      for (const { path, key } of filesOf(row)) {
        if (photos.has(path)) continue;
        if (path.startsWith('photos/')) photos.add(path);
        await addFile(path, key, row.created_at, missing);
      }
    }
    if (missing.length > 0) await text('missing.txt', missingNotes(missing));
    zip.end();
  }

  /** Adds a file to the ZIP, or its path to the missing ones. */
  async function addFile(path: string, key: string, at: Date, missing: string[]): Promise<void> {
    if (!(await storage.has(key))) missing.push(path);
    else await zip.add(path, () => opened(key), { at, packed: true });
  }

  async function opened(key: string): Promise<Readable> {
    const file = await storage.open(key);
    if (!file) throw new Error(`${key} is gone`);
    return file.stream;
  }

  write().catch((error) => zip.output.destroy(error));
  return zip.output;
}
