import type { Usage, V1Usage, V1UsageQuery } from '#contract';
import { csvOf } from '#server/http/csv.ts';
import { listProjectsWithDefault } from '#server/projects/list-with-default.ts';
import type { Db } from '#shared/data/db.ts';
import { type UsageGroup, usageOf } from '#shared/data/generations/usage.ts';
import { type Day, dayMs, dayOf } from '#shared/platform/days.ts';

/** The images that a seller used in some days, and what their projects are called; those that are being deleted have no name. */
interface UsedImages {
  groups: UsageGroup[];
  projectNames: ReadonlyMap<string, string>;
}

/** @param days both included */
async function usedImages(db: Db, sellerId: string, { from, to }: V1UsageQuery): Promise<UsedImages> {
  const [groups, projects] = await Promise.all([
    usageOf(db, sellerId, { from: new Date(from), before: new Date(Date.parse(to) + dayMs) }),
    listProjectsWithDefault(db, sellerId),
  ]);
  return { groups, projectNames: new Map(projects.map(({ _id, name }) => [_id, name])) };
}

/** The images that a seller used in some days, as programs see them: by day, by project and by API key. */
export async function usageForPrograms(db: Db, sellerId: string, days: V1UsageQuery): Promise<V1Usage> {
  const { groups, projectNames } = await usedImages(db, sellerId, days);
  const { from, to } = days;
  const ofDay = sumBy(groups, ({ day }) => day);
  const keyNames = keyNamesOf(groups);
  return {
    from,
    to,
    images: groups.reduce((sum, { images }) => sum + images, 0),
    days: daysOf(days).map((date) => ({ date, images: ofDay.get(date) ?? 0 })),
    projects: mostFirst(sumBy(groups, ({ project }) => project)).map(([id, images]) => ({
      id,
      name: projectNames.get(id) ?? null,
      images,
    })),
    keys: mostFirst(sumBy(groups, ({ key }) => key?.id ?? null)).map(([id, images]) => ({
      id,
      name: id === null ? null : keyNames.get(id)!,
      images,
    })),
  };
}

/** The images that a seller used in some days, for the page that shows them. */
export async function usageForPage(db: Db, sellerId: string, days: V1UsageQuery): Promise<Usage> {
  const { groups, projectNames } = await usedImages(db, sellerId, days);
  const projects = new Set(groups.map(({ project }) => project));
  return {
    ...days,
    lines: groups.map(({ day, project, key, images }) => ({
      date: day,
      projectId: project,
      keyId: key?.id ?? null,
      images,
    })),
    projects: [...projects].map((id) => ({ id, name: projectNames.get(id) ?? null })),
    keys: [...keyNamesOf(groups)].map(([id, name]) => ({ id, name })),
  };
}

/**
 * The images that a seller used in some days as CSV: a line for each day, project and API key with images, and one for each day
 * without any.
 */
export async function usageTable(db: Db, sellerId: string, days: V1UsageQuery): Promise<string> {
  const { groups, projectNames } = await usedImages(db, sellerId, days);
  const ofDays = Map.groupBy(groups, ({ day }) => day);
  return csvOf(
    daysOf(days).flatMap((day) =>
      (ofDays.get(day) ?? [{ project: '', key: null, images: 0 }]).map(({ project, key, images }) => ({
        Day: day,
        Project: projectNames.get(project) ?? '',
        'Project id': project,
        'API key': key?.name ?? '',
        'API key id': key?.id ?? '',
        Images: images,
      })),
    ),
  );
}

/** All days from one to another, both included. */
const daysOf = ({ from, to }: V1UsageQuery): Day[] =>
  Array.from({ length: (Date.parse(to) - Date.parse(from)) / dayMs + 1 }, (_, index) =>
    dayOf(new Date(Date.parse(from) + index * dayMs)),
  );

/** What the API keys of groups are called. */
const keyNamesOf = (groups: readonly UsageGroup[]) =>
  new Map(groups.flatMap(({ key }) => (key ? [[key.id, key.name] as const] : [])));

/** The images of groups together, by something that groups have in common. */
function sumBy<Key>(groups: readonly UsageGroup[], keyOf: (group: UsageGroup) => Key): Map<Key, number> {
  const sums = new Map<Key, number>();
  for (const group of groups) sums.set(keyOf(group), (sums.get(keyOf(group)) ?? 0) + group.images);
  return sums;
}

/** The sums, the largest first; equal ones by their ids, those of no id last. */
const mostFirst = <Id extends string | null>(sums: ReadonlyMap<Id, number>) =>
  [...sums].toSorted(
    ([one, images], [other, otherImages]) =>
      otherImages - images || ((one ?? '\uffff') < (other ?? '\uffff') ? -1 : 1),
  );
