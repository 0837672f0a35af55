import type { Collection, Document } from 'mongodb';
import { describe, expect } from 'vitest';
import { testWithThings } from './target.ts';

const it = testWithThings();

/** The innermost stage of the plan for a filter, its index, and how many documents were examined. */
async function planOf(
  things: Collection,
  filter: Document,
  options: { sort?: Document; hint?: Document | string } = {},
) {
  let cursor = things.find(filter);
  if (options.sort) cursor = cursor.sort(options.sort as never);
  if (options.hint) cursor = cursor.hint(options.hint as never);
  const { queryPlanner, executionStats } = await cursor.explain('executionStats');
  const stages: string[] = [];
  let stage = queryPlanner.winningPlan.queryPlan ?? queryPlanner.winningPlan;
  for (; stage; stage = stage.inputStage) {
    // MongoDB 8 has a separate stage for the fastest lookups of a single document.
    const express = stage.stage === 'EXPRESS_IXSCAN' && stage.keyPattern === '{ _id: 1 }';
    stages.push(express ? 'IDHACK' : stage.stage, stage.indexName);
  }
  return { stages, examined: executionStats.totalDocsExamined, returned: executionStats.nReturned };
}

describe('query plans', () => {
  it.beforeEach(async ({ things }) => {
    await things.insertMany(
      Array.from({ length: 500 }, (_, n) => ({
        _id: n as never,
        n,
        mod: n % 10,
        name: `name${n % 50}`,
        tags: [n % 7, `t${n}`],
        when: new Date(n),
      })),
    );
    await things.createIndexes([
      { key: { n: 1 } },
      { key: { mod: 1, name: -1 } },
      { key: { tags: 1 } },
      { key: { when: -1 }, partialFilterExpression: { n: { $gte: 100 } } },
      { key: { rare: 1 }, sparse: true },
    ]);
  });

  const PLANS: [string, Document, { sort?: Document }, string, number][] = [
    ['one document by _id', { _id: 7 }, {}, 'IDHACK', 1],
    ['a range of _id', { _id: { $gte: 10, $lt: 13 } }, {}, '_id_', 3],
    ['several _id', { _id: { $in: [1, 5, 9999] } }, {}, '_id_', 2],
    ['equality', { n: 40 }, {}, 'n_1', 1],
    ['a range', { n: { $gt: 10, $lte: 14 } }, {}, 'n_1', 4],
    ['a list', { n: { $in: [3, 5, 3] } }, {}, 'n_1', 2],
    ['an empty list, also where no index is usable', { rare: { $in: [] } }, {}, 'EOF', 0],
    ['two fields of a compound index', { mod: 3, name: 'name3' }, {}, 'mod_1_name_-1', 10],
    [
      'a range on the second field, which is descending',
      { mod: 3, name: { $gt: 'name3' } },
      {},
      'mod_1_name_-1',
      20,
    ],
    ['the first field of a compound index', { mod: 4 }, {}, 'mod_1_name_-1', 50],
    ['an element of an array', { tags: 't33' }, {}, 'tags_1', 1],
    ['a partial index', { when: new Date(200), n: { $gte: 150 } }, {}, 'when_-1', 1],
    ['a sparse index', { rare: { $gt: 5 } }, {}, 'rare_1', 0],
    ['either of two', { $or: [{ n: 5 }, { _id: 6 }] }, {}, 'OR', 2],
  ];
  it.for(PLANS)('%s', async ([, filter, options, index, examined], { things }) => {
    const plan = await planOf(things, filter, options);
    expect(plan.stages).toContain(index);
    expect(plan.stages).not.toContain('COLLSCAN');
    expect(plan.examined).toBe(examined);
  });

  it('scan the collection without a usable index, and when the client requests it', async ({ things }) => {
    expect((await planOf(things, { nothing: 1 })).stages).toContain('COLLSCAN');
    expect(await planOf(things, { n: 40 }, { hint: { $natural: 1 } })).toMatchObject({
      examined: 500,
      returned: 1,
    });
    // The partial index does not contain values below 100.
    expect((await planOf(things, { when: new Date(50) })).stages).not.toContain('when_-1');
  });

  it('use an index for sorting', async ({ things }) => {
    expect((await planOf(things, { n: { $gte: 490 } }, { sort: { n: -1 } })).stages).not.toContain('SORT');
    expect((await planOf(things, { mod: 3 }, { sort: { name: 1 } })).stages).not.toContain('SORT');
    expect((await planOf(things, { mod: 3 }, { sort: { name: 1, n: 1 } })).stages).toContain('SORT');
    const some = { mod: { $in: [7, 3] } };
    expect((await planOf(things, some, { sort: { name: -1 } })).stages).toContain('SORT');
    for (const order of [1, -1] as const) {
      const sort = { mod: order, name: order === 1 ? -1 : 1 } as const;
      expect((await planOf(things, some, { sort })).stages).not.toContain('SORT');
      const names = (await things.find(some, { sort }).toArray()).map(({ mod, name }) => `${mod} ${name}`);
      const perMod = (mod: number) => [3, 13, 23, 33, 43].map((name) => `${mod} name${name + mod - 3}`);
      const ascending = [3, 7].flatMap((mod) => perMod(mod).toSorted().toReversed());
      expect([...new Set(names)]).toEqual(order === 1 ? ascending : ascending.toReversed());
    }
    const found = await things.find({ mod: 3 }, { sort: { name: 1 }, limit: 2 }).toArray();
    expect(found.map(({ name }) => name)).toEqual(['name13', 'name13']);
  });

  it('use the hinted index, and reject an unknown one', async ({ things }) => {
    expect((await planOf(things, { n: 40, mod: 0 }, { hint: 'mod_1_name_-1' })).stages).toContain(
      'mod_1_name_-1',
    );
    expect((await planOf(things, { n: 40 }, { hint: { n: 1 } })).examined).toBe(1);
    await expect(things.find({}, { hint: 'nothing' }).toArray()).rejects.toMatchObject({ code: 2 });
    await expect(things.updateOne({}, { $set: { a: 1 } }, { hint: 'nothing' })).rejects.toMatchObject({
      code: 2,
    });
  });

  it('find documents under their current keys after updates', async ({ things }) => {
    await things.updateOne({ n: 40 }, { $set: { n: 1000 } });
    await things.deleteOne({ n: 41 });
    expect(await things.countDocuments({ n: { $in: [40, 41] } })).toBe(0);
    expect((await things.findOne({ n: 1000 }))!._id).toBe(40);
    await things.updateMany({ n: { $gte: 490, $lt: 1000 } }, { $inc: { n: 1000 } });
    expect(await things.countDocuments({ n: { $gte: 1490 } })).toBe(10);
  });
});
