/** The table of docs/accounts.md holds: each of its ways is taken, wrongly and rightly. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { toldChanges } from '#server/accounts/security-email.ts';
import { startSession } from '#shared/data/accounts/sessions.ts';
import { connectionOf } from '#shared/data/collection.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithStack } from '#tests/support/test.ts';
import { type Asked, type Way, ways } from './account-ways.ts';

const test = testWithStack();

const cells = (line: string) =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
const listOf = (cell: string) => (cell === 'none' ? [] : cell.split(', '));

const document = await readFile(join(rootFolder, 'docs/accounts.md'), 'utf8');
const [, table] = document.split('| Way | Mail | Asks for | Ends sessions | Log | Counted in |\n');
const rows = table!
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [way, mail, asks, ends, log, counted] = cells(line) as [
      string,
      string,
      string,
      string,
      string,
      string,
    ];
    return {
      way,
      mails: listOf(mail).filter((kind) => kind !== 'by setting'),
      bySetting: mail.endsWith('by setting'),
      asks: listOf(asks) as Asked[],
      ends,
      log: listOf(log).sort(),
      counted: listOf(counted),
    };
  });

/** What there is to see of an account. */
async function seen(stack: TestStack, { id, addresses }: Way) {
  const { mails, activities, operatorActions, sessions } = stack.models;
  return {
    // Without what sending them changes.
    mails: await mails.find({ to: { $in: addresses } }, { kind: 1 }).lean(),
    lines: await activities.find({ user_id: id, kind: { $ne: 'sign-in-failed' } }).lean(),
    operatorLines: await operatorActions.find({ target: id }).lean(),
    sessions: (await sessions.find({ user_id: id }).lean()).map((session) => session._id),
  };
}

/** The sum of what is counted in a collection; of sessions, the wrong secrets. */
async function countedIn(stack: TestStack, collection: string): Promise<number> {
  if (collection === 'sessions') {
    const sessions = await stack.models.sessions.find().lean();
    return sessions.reduce((sum, { wrong }) => sum + wrong.password + wrong.code, 0);
  }
  const rows = await connectionOf(stack.db).collection(collection).find().toArray();
  return rows.reduce((sum, row) => sum + Number(row.points), 0);
}

/** What of a list is not in an earlier one. */
const added = <Row extends { _id: unknown }>(before: Row[], after: Row[]) =>
  after.filter((row) => !before.some((earlier) => String(earlier._id) === String(row._id)));

test.for(rows)('$way', async ({ way: name, mails, bySetting, asks, ends, log, counted }, { stack }) => {
  const way = await ways[name]!(stack);
  const { _id: other } = await startSession(stack.db, way.id, {
    device: 'Another browser',
    address: '198.51.100.7',
    idle_minutes: 60,
    factors: ['password', 'code'],
  });
  const told = bySetting || name === 'security emails turned off';
  await stack.models.userSettings.updateOne({ _id: way.id }, { security_notifications: told });
  for (const collection of counted.filter((each) => each !== 'sessions')) {
    // Earlier requests of this network; their counts could end while the way is taken.
    await connectionOf(stack.db).collection(collection).deleteMany({});
  }

  const before = await seen(stack, way);
  const countsBefore = await Promise.all(counted.map((collection) => countedIn(stack, collection)));
  for (const wrong of asks) {
    expect((await way.take(wrong)).status, `wrong ${wrong}`).toBeGreaterThanOrEqual(400);
    expect(await seen(stack, way), `wrong ${wrong}`).toEqual(before);
  }
  const raised = await Promise.all(counted.map((collection) => countedIn(stack, collection)));

  expect((await way.take()).status).toBeLessThan(300);

  const after = await seen(stack, way);
  expect(
    added(before.mails, after.mails)
      .map(({ kind }) => kind)
      .sort(),
  ).toEqual(mails.toSorted());
  const lines = [
    ...added(before.lines, after.lines).map(({ kind }) => kind as string),
    ...added(before.operatorLines, after.operatorLines).map(({ action }) => `operators: ${action}`),
  ];
  expect(lines.sort()).toEqual(log);
  const left = before.sessions.filter((id) => after.sessions.includes(id));
  const own = before.sessions.filter((id) => id !== other);
  const expected = { none: before.sessions, all: [], others: own }[ends];
  if (expected) expect(left.sort()).toEqual(expected.toSorted());
  else expect(left).toHaveLength(before.sessions.length - 1);
  const profile = await stack.models.profiles.findById(way.id).lean();
  // The way that deletes the account leaves none.
  if (profile) expect(profile.security_level).toBe(profile.two_factor_enabled ? 'high' : 'standard');
  for (const [index, collection] of counted.entries()) {
    const now = Math.max(raised[index]!, await countedIn(stack, collection));
    expect(now, `counted in ${collection}`).toBeGreaterThan(countsBefore[index]!);
  }
});

test('the table has every way that the test can take, and every mail that no setting turns off', () => {
  expect(rows.map(({ way }) => way)).toEqual(Object.keys(ways));
  const told = rows.filter(({ bySetting }) => !bySetting).flatMap(({ mails }) => mails);
  expect(Object.values(toldChanges).filter((kind) => !told.includes(kind))).toEqual([]);
});
