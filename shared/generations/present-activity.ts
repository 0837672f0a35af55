import type { ActivityKind, ActivityView } from '#contract';
import type { ActivityRow } from '#shared/data/activities.ts';

/** A line of the seller's activity log. */
export function presentActivity({ _id: id, kind, device, address, at }: ActivityRow): ActivityView {
  const line = { id, device, address, at: at.toISOString() };
  const older = olderKinds[kind];
  return older === undefined ? { ...line, kind } : { ...line, kind: older, newKind: kind };
}

/** What pages of the release before are told instead of kinds that they do not know, and refuse. */
const olderKinds: Partial<Record<ActivityKind, ActivityKind>> = {
  'passkey-added': 'settings-changed',
  'passkey-removed': 'settings-changed',
};
