import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { strFromU8 } from 'fflate';
import sharp from 'sharp';
import { expect } from 'vitest';
import { type ErrorReply, identityRecipe, limits, pages, paths, type Settings } from '#contract';
import { endSessionsOf } from '#shared/data/accounts/sessions.ts';
import { storageKeys } from '#shared/storage/storage.ts';
import {
  anotherSession,
  askForExport,
  call,
  signIn,
  turnOnTwoFactor,
  twoFactorSeller,
} from '#tests/support/account.ts';
import { expectError } from '#tests/support/errors.ts';
import { testPassword } from '#tests/support/seller.ts';
import { claimsOf } from '#tests/support/session-token.ts';
import { download, type Files, makeGeneration, test } from './export-steps.ts';

const json = (files: Files, name: string) => JSON.parse(strFromU8(files[name]!));

test('the ZIP contains all data and files of the seller, and nothing of other sellers', async ({ stack }) => {
  const seller = await stack.seller();
  expect((await signIn(stack.url, { email: seller.email })).status).toBe(200);
  await endSessionsOf(stack.db, seller.id, { except: String(claimsOf(seller.token).sid) });
  const named = await makeGeneration(stack, seller, ' ../Lampe: “Nuß” / CON ');
  const unnamed = await makeGeneration(stack, seller);
  const other = await stack.seller();
  const othersGeneration = await makeGeneration(stack, other);
  await call(seller, 'PATCH', paths.settings, { theme: 'dark' });

  const { reply, files } = await download(stack, seller);
  expect(reply.headers.get('content-type')).toBe('application/zip');
  expect(reply.headers.get('cache-control')).toBe('no-store');
  expect(reply.headers.get('content-disposition')).toMatch(
    /^attachment; filename="packshot-\d{4}-\d\d-\d\d\.zip"$/,
  );
  const day = new Date().toISOString().slice(0, 10);
  const folders = [`generations/${day}-Lampe-Nuß-CON-${named}`, `generations/${day}-${unnamed}`];
  const photos = [named, unnamed].map((id) => `photos/${id}/photo-1.jpg`);
  expect(Object.keys(files).sort()).toEqual(
    [
      'README.txt',
      'activity.json',
      'addresses.json',
      'api-keys.json',
      'webhooks.json',
      'webhook-deliveries.json',
      'events.json',
      'devices.json',
      'mails.json',
      'unpaid-calls.json',
      'refusals.json',
      'generations.json',
      'projects.json',
      'ledger.json',
      'notifications.json',
      'batches.json',
      'looks.json',
      'export-presets.json',
      'profile.json',
      'sessions.json',
      'settings.json',
      ...folders.map((folder) => `${folder}/image.png`),
      ...photos,
    ].sort(),
  );

  const { storage } = stack.server.context;
  const rows = await stack.models.generations.find({ profile: seller.id }).sort({ created_at: 1 }).lean();
  for (const [index, row] of rows.entries()) {
    const [image, photo] = [`${folders[index]}/image.png`, photos[index]!];
    expect(Buffer.from(files[image]!).equals((await storage.get(row.image!.key))!)).toBe(true);
    expect(Buffer.from(files[photo]!).equals((await storage.get(row.photos[0]!.key))!)).toBe(true);
  }
  expect(json(files, 'generations.json')).toEqual(
    rows.map((row, index) =>
      expect.objectContaining({
        id: row._id,
        state: 'succeeded',
        prompt: row.prompt,
        productName: row.product_name,
        quality: 'high',
        createdAt: row.created_at.toISOString(),
        files: [photos[index], `${folders[index]}/image.png`],
      }),
    ),
  );
  const { user, settings, subscription } = await seller.me();
  expect(json(files, 'profile.json')).toMatchObject({ ...user, subscription });
  expect(json(files, 'settings.json')).toEqual(settings);
  expect(json(files, 'sessions.json')).toEqual([expect.objectContaining({ current: true })]);
  const entries = await stack.models.creditEntries.find({ profile: seller.id }).sort({ at: 1 }).lean();
  expect(json(files, 'ledger.json')).toEqual(
    entries.map(({ kind, count }) => expect.objectContaining({ kind, images: count })),
  );
  expect(json(files, 'activity.json').map(({ kind }: { kind: string }) => kind)).toEqual([
    'signed-in',
    'settings-changed',
    'data-exported',
  ]);
  const everything = Object.values(files).map((bytes) => Buffer.from(bytes).toString('latin1'));
  for (const text of everything) expect(text).not.toContain(othersGeneration);
  expect(strFromU8(files['README.txt']!)).toContain(seller.email);
});

test('the export contains edits and the edited image', async ({ stack }) => {
  const seller = await stack.seller();
  const id = await makeGeneration(stack, seller, 'Lamp');
  const recipe = { ...identityRecipe, crop: { left: 0, top: 0.25, width: 1, height: 0.5 } };
  await call(seller, 'PUT', paths.edits(id), { recipe, basedOn: null });
  const { files } = await download(stack, seller);
  const [exported] = json(files, 'generations.json');
  expect(exported.edits).toEqual(recipe);
  const exportedPaths = exported.files as string[];
  expect(exportedPaths.map((path) => path.split('/').at(-1))).toEqual([
    'photo-1.jpg',
    'image.png',
    'image-edited.png',
  ]);
  const [, image, edited] = await Promise.all(exportedPaths.map((path) => sharp(files[path]!).metadata()));
  expect([edited!.width, edited!.height]).toEqual([image!.width, image!.height / 2]);
  expect(Object.keys(files)).not.toContain('missing.txt');
});

test('the export contains no password hash, token or other secret', async ({ stack }) => {
  const seller = await stack.seller();
  const { secret, recoveryCodes } = await turnOnTwoFactor(seller);
  const [code] = recoveryCodes;
  await call(seller, 'POST', paths.email, { email: `x-${seller.email}`, password: testPassword, code });
  const user = (await stack.models.users.findById(seller.id).lean())!;
  const sessions = await stack.models.sessions.find({ user_id: seller.id }).lean();
  const tokens = await stack.models.accountTokens.find({ user_id: seller.id }).lean();
  // One confirms the new address, the other undoes the change.
  expect(tokens).toHaveLength(2);
  const secrets = [
    user.password_hash,
    '$argon2',
    secret,
    ...user.two_factor!.recovery_codes,
    ...sessions.map(({ _id }) => _id),
    ...tokens.map(({ _id }) => _id),
    seller.token,
    stack.config.billing.secretKey,
  ];
  const { files } = await download(stack, seller, { code: recoveryCodes[1]! });
  const text = Object.values(files)
    .map((bytes) => strFromU8(bytes))
    .join('\n');
  for (const secret of secrets) expect(text).not.toContain(secret);
});

test('a lost file is listed in missing.txt, and all others are in the export', async ({ stack }) => {
  const seller = await stack.seller();
  const id = await makeGeneration(stack, seller);
  await rm(join(stack.storageFolder, storageKeys.photo(id, 0, 'jpeg')));
  const { files } = await download(stack, seller);
  expect(strFromU8(files['missing.txt']!)).toMatch(new RegExp(`photos/${id}/photo-1\\.jpg`));
  expect(Object.keys(files).filter((name) => name.endsWith('image.png'))).toHaveLength(1);
});

test('an export takes the password and, with two-factor sign-in, a code; the seller is told whatever the settings say', async ({
  stack,
}) => {
  const { seller, recoveryCodes } = await twoFactorSeller(stack);
  const off = { securityNotifications: false, activityLogging: false };
  await stack.models.userSettings.updateOne(
    { _id: seller.id },
    { $set: { security_notifications: false, activity_logging: false } },
  );
  expect(await call<Settings>(seller, 'GET', paths.settings)).toMatchObject({ body: off });
  const ask = (body: object) => call<ErrorReply>(seller, 'POST', paths.export, body);
  expect(await call(seller, 'GET', paths.export)).toMatchObject({ status: 400 });
  expect(await ask({})).toMatchObject({ status: 400 });
  // None of these counts as an export.
  for (let each = 0; each < limits.exportsAnHour; each += 1) {
    expectError(await ask({ password: testPassword }), 'CODE_REQUIRED');
  }
  const subject = 'Your data was exported';
  const mails = await stack.mails.mails(seller.email);
  expect(mails.filter((mail) => mail.subject === subject)).toEqual([]);
  const { files } = await download(stack, seller, { code: recoveryCodes[1]! });
  expect(json(files, 'profile.json')).toMatchObject({ email: seller.email });
  const mail = await stack.mails.waitForMail({ to: seller.email, subject });
  expect(mail.text).toContain('Device: ');
  expect(stack.mails.linkIn(mail, pages.forgotPassword)).toBeTruthy();
});

test('the address of an export works for a minute, again too, and only in the session that asked for it', async ({
  stack,
}) => {
  const seller = await stack.seller();
  const other = await anotherSession(stack.url, seller);
  const path = await askForExport(seller);
  // Programs that check downloads ask for the file as well.
  for (let each = 0; each < 2; each += 1) expect((await seller.request(path)).status).toBe(200);
  const forged = `${path.slice(0, -4)}AAAA`;
  const ofSession = `${paths.export}?${new URLSearchParams({ ticket: seller.token })}`;
  for (const wrong of [forged, ofSession]) expectError(await seller.request(wrong), 'TOKEN_INVALID');
  expectError(await other.request(path), 'TOKEN_INVALID');
  expectError(await (await stack.seller()).request(path), 'TOKEN_INVALID');
  const ticket = new URL(stack.url + path).searchParams.get('ticket')!;
  const asSession = { authorization: `Bearer ${ticket}` };
  expect((await fetch(stack.url + paths.me, { headers: asSession })).status).toBe(401);
  const { exp, iat, sub, sid } = claimsOf(ticket) as Record<string, number | string>;
  expect(Number(exp) - Number(iat)).toBe(limits.exportTicketSeconds);
  const expired = stack.server.app.jwt.sign(
    { sub, sid, iat: Number(iat) - 2 * limits.exportTicketSeconds },
    { aud: 'packshot-export', expiresIn: limits.exportTicketSeconds },
  );
  expectError(
    await seller.request(`${paths.export}?${new URLSearchParams({ ticket: expired })}`),
    'TOKEN_INVALID',
  );
  // A new password ends the other sessions, and with them what they asked for.
  const theirs = await askForExport(other);
  await call(seller, 'POST', paths.password, { password: testPassword, newPassword: 'Another-Horse-8' });
  expectError(await other.request(theirs), 'UNAUTHENTICATED');
});

test('exports are rate-limited', async ({ stack }) => {
  const seller = await stack.seller();
  for (let each = 0; each < limits.exportsAnHour; each += 1) await download(stack, seller);
  expectError(await call(seller, 'POST', paths.export, { password: testPassword }), 'RATE_LIMITED');
});
