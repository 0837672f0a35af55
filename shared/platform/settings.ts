import { z } from 'zod';
import { readEnvironment } from './environment.ts';
import { isOfService } from './known-variables.ts';
import { misspelledSettings } from './misspelled-settings.ts';
import {
  operationSettings,
  retentionSettings,
  secretSettings,
  serverSettings,
  workerSettings,
} from './process-settings.ts';
import {
  alertSettings,
  billingSettings,
  companySettings,
  imageServiceSettings,
  mailSettings,
  storeSettings,
} from './service-settings.ts';

/** Every environment variable that is a setting, with its default and meaning (docs/settings.md), in groups. */
export const settingGroups = {
  Stores: storeSettings,
  Secrets: secretSettings,
  'API server': serverSettings,
  'Image service': imageServiceSettings,
  'Plans and payment': billingSettings,
  Company: companySettings,
  Mail: mailSettings,
  Worker: workerSettings,
  'How long things are kept': retentionSettings,
  Operation: operationSettings,
  Alerts: alertSettings,
};

export const settingsSchema = z.object({
  ...storeSettings,
  ...secretSettings,
  ...serverSettings,
  ...imageServiceSettings,
  ...billingSettings,
  ...companySettings,
  ...mailSettings,
  ...workerSettings,
  ...retentionSettings,
  ...operationSettings,
  ...alertSettings,
});

/** The settings, parsed. */
export type Settings = z.infer<typeof settingsSchema>;
export type SettingName = keyof Settings;

/** Settings as text, as the environment has them. */
export type GivenSettings = Partial<Record<SettingName, string>>;

/** The settings that the environment or `.env` sets, without empty ones and those that Kubernetes sets for a service. */
export function givenSettings(): GivenSettings {
  const environment = readEnvironment();
  return Object.fromEntries(
    Object.keys(settingsSchema.shape)
      .map((name) => [name, environment[name]])
      .filter(([name, value]) => value !== undefined && value !== '' && !isOfService(name!, value)),
  );
}

/** A line for each variable of the environment or of `.env` that is no setting, and was probably meant as one. */
export function misspellings(): string[] {
  return misspelledSettings(readEnvironment(), Object.keys(settingsSchema.shape)).map(
    ({ name, meant }) => `${name} is no setting: did you mean ${meant}? See docs/settings.md.`,
  );
}
