/** A browser without what the oldest browsers of the web app do not have (shared/contract/oldest-browsers.ts). */

import compatData from '@mdn/browser-compat-data' with { type: 'json' };
import type { Identifier, SimpleSupportStatement } from '@mdn/browser-compat-data';
import { oldestBrowsers } from '#contract/oldest-browsers.ts';

type OldBrowser = keyof typeof oldestBrowsers;

/** Whether a version is newer than another one. */
function isNewer(version: string, than: string): boolean {
  const [one, other] = [version, than].map((each) => each.split('.').map(Number));
  const at = one!.findIndex((part, index) => part !== (other![index] ?? 0));
  return at >= 0 && one![at]! > (other![at] ?? 0);
}

/** Whether one of the oldest browsers does not have it without a prefix or a setting. */
function isTooNew({ __compat: compat }: Identifier): boolean {
  if (!compat) return false;
  return (Object.entries(oldestBrowsers) as [OldBrowser, string][]).some(([browser, oldest]) => {
    const support = compat.support[browser] ?? [];
    const statements = (Array.isArray(support) ? support : [support]) as SimpleSupportStatement[];
    return !statements.some(
      ({ version_added: added, flags, prefix, alternative_name: otherName }) =>
        typeof added === 'string' &&
        added !== 'preview' &&
        !flags &&
        !prefix &&
        !otherName &&
        !isNewer(added.replace('≤', ''), oldest),
    );
  });
}

/** @returns a script that removes every global and every member of one that is too new, by the data of MDN */
export function removeWhatIsTooNew(): string {
  const { api, javascript } = compatData;
  const removed: [object: string, member?: string][] = [];
  for (const [name, object] of Object.entries({ ...api, ...javascript.builtins })) {
    if (isTooNew(object as Identifier)) removed.push([name]);
    else {
      for (const [member, identifier] of Object.entries(object)) {
        if (member !== '__compat' && isTooNew(identifier as Identifier)) {
          removed.push([name, member.replace(/_(?:static|event)$/, '')]);
        }
      }
    }
  }
  return `for (const [name, member] of ${JSON.stringify(removed)}) {
    if (member === undefined) delete globalThis[name];
    else {
      delete globalThis[name]?.[member];
      delete globalThis[name]?.prototype?.[member];
    }
  }`;
}
