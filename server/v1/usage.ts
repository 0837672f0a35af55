import type { V1Usage } from '#contract';
import { listProjectsWithDefault } from '#server/projects/list-with-default.ts';
import type { Db } from '#shared/data/db.ts';
import { type UsageGroup, usageOf } from '#shared/data/generations/usage.ts';
import { dayMs, dayOf } from '#shared/platform/days.ts';

/** The images that a seller used in some days, by day and by project. */
export async function usageIn(
  db: Db,
  sellerId: string,
  { from, to }: { from: string; to: string },
): Promise<V1Usage> {
  const [first, last] = [Date.parse(from), Date.parse(to)];
  const [groups, projects] = await Promise.all([
    usageOf(db, sellerId, { from: new Date(first), before: new Date(last + dayMs) }),
    listProjectsWithDefault(db, sellerId),
  ]);
  const names = new Map(projects.map(({ _id, name }) => [_id, name]));
  const ofDay = sumBy(groups, ({ day }) => day);
  return {
    from,
    to,
    images: groups.reduce((sum, { images }) => sum + images, 0),
    days: Array.from({ length: (last - first) / dayMs + 1 }, (_, index) => {
      const date = dayOf(new Date(first + index * dayMs));
      return { date, images: ofDay.get(date) ?? 0 };
    }),
    projects: [...sumBy(groups, ({ project }) => project)]
      .map(([id, images]) => ({ id, name: names.get(id) ?? null, images }))
      .toSorted((one, other) => other.images - one.images || (one.id < other.id ? -1 : 1)),
  };
}

/** The images of groups together, by something that groups have in common. */
function sumBy(groups: readonly UsageGroup[], keyOf: (group: UsageGroup) => string): Map<string, number> {
  const sums = new Map<string, number>();
  for (const group of groups) sums.set(keyOf(group), (sums.get(keyOf(group)) ?? 0) + group.images);
  return sums;
}
