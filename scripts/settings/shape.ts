import { z } from 'zod';
import { type SettingName, settingsSchema } from '#shared/platform/settings.ts';

/** What the schema of a setting says: of its values as JSON Schema does, and what it means. */
export interface SettingShape {
  type?: 'string' | 'number' | 'integer' | 'boolean';
  enum?: string[];
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  default?: string | number | boolean;
  description: string;
  unit?: string;
  without?: string;
  see?: string;
  example?: string;
}

const { properties } = z.toJSONSchema(settingsSchema, { unrepresentable: 'any' });

export const settingNames = Object.keys(settingsSchema.shape) as SettingName[];

export const shapeOf = (name: SettingName) => properties![name] as unknown as SettingShape;

export const isRequired = (name: SettingName) => !settingsSchema.shape[name].safeParse(undefined).success;
