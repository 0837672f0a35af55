import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { strFromU8 } from 'fflate';
import sharp from 'sharp';
import { expect } from 'vitest';
import { identityRecipe, paths } from '#contract';
import { endSessionsOf } from '#shared/data/sessions.ts';
import { storageKeys } from '#shared/platform/storage.ts';
import { call, signIn, turnOnTwoFactor } from '#tests/support/account.ts';
import { expectError } from '#tests/support/errors.ts';
import { testPassword } from '#tests/support/seller.ts';
import { claimsOf } from '#tests/support/tokens.ts';
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
      'generations.json',
      'projects.json',
      'ledger.json',
      'notifications.json',
      'batches.json',
      'looks.json',
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
  const { files } = await download(stack, seller);
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

test('exports are rate-limited', async ({ stack }) => {
  const seller = await stack.seller();
  for (let each = 0; each < 5; each += 1) await download(stack, seller);
  expectError(await seller.request(paths.export), 'RATE_LIMITED');
});
