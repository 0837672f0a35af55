/** Keys of the queries that more than one module reads or changes. */
export const queryKeys = {
  me: ['me'],
  service: ['service'],
  generationList: ['generations'],
  /** Prefix of every `library` key. It begins like the list, so that what is done to all lists is done to these too. */
  libraries: ['generations', 'library'],
  library: (filters: Readonly<Record<string, string>>) => ['generations', 'library', filters] as const,
  /** Prefix of everything about the trash. */
  trash: ['trash'],
  trashList: ['trash', 'list'],
  trashCount: ['trash', 'count'],
  trashed: (id: string) => ['trash', 'one', id] as const,
  /** Prefix of every `generation` key. */
  singleGenerations: ['generation'],
  generation: (id: string) => ['generation', id] as const,
  /** The ids of the generations that have been pending since the page was opened. */
  pending: ['pending'],
  /** The ids of the generations of a set. */
  takes: (setId: string) => ['takes', setId] as const,
  /** The ids of the versions of an image. */
  versions: (rootId: string) => ['versions', rootId] as const,
  looks: ['looks'],
  /** The export presets that the seller made. */
  ownPresets: ['export-presets'],
  /** Prefix of every key of a batch. */
  batches: ['batch'],
  projects: ['projects'],
  /** Prefix of every `projectImages` key. */
  allProjectImages: ['project-images'],
  projectImages: (id: string) => ['project-images', id] as const,
  notifications: ['notifications'],
  operatorNow: ['operator', 'now'],
  creditEntries: ['credit-entries'],
  /** The images that were used in some days. @param revision of the balance */
  usage: (days: { from: string; to: string }, revision: number) => ['usage', days, revision] as const,
  sessions: ['sessions'],
  /** Passkeys, and whether there is an authenticator app. */
  factors: ['factors'],
  apiKeys: ['api-keys'],
  webhooks: ['webhooks'],
  activity: ['activity'],
  /** It begins like the activity log: what is new there may have changed the protection. */
  protection: ['activity', 'protection'],
  linkAddress: (token: string) => ['link-address', token] as const,
} as const;
