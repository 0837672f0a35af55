import type { z } from 'zod';

/** What `docs/settings.md` and `.env.example` say about a setting. */
export interface SettingFacts {
  /** What it means: one or more sentences. */
  description: string;
  /** What its number counts, such as `ms`. */
  unit?: string;
  /** What counts without it, where that is not a value that could be set. */
  without?: string;
  /** A document that says more, as a path in `docs/`. */
  see?: string;
  /** A value that production accepts and that differs from the default; needed where none can be derived. */
  example?: string;
}

/** A setting: how its text is read, and what it means. */
export function setting<Schema extends z.ZodType>(schema: Schema, facts: SettingFacts): Schema {
  return schema.meta({ ...facts });
}
