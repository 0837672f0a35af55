/** The settings that the overlays of `deploy/kubernetes/` give to their pods. */
import { describe, expect, test } from 'vitest';
import { loadConfig } from '#shared/platform/config.ts';
import type { Program } from '#shared/platform/program-secrets.ts';
import { settingsSchema } from '#shared/platform/settings.ts';
import { overlays } from '#tests/support/kubernetes.ts';
import { environmentOf, filledIn, isRendered, openOverlay, podsOf } from './overlay.ts';

/** @returns the message of what a function throws */
function refusalOf(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    return (error as Error).message;
  }
  return '';
}

describe.runIf(isRendered)('the settings', () => {
  test.for(overlays)('of %s exist, and are fit for production once filled in', (name) => {
    const rendered = openOverlay(name);
    for (const pods of podsOf(rendered)) {
      const shipped = environmentOf(rendered, pods);
      expect(Object.keys(settingsSchema.shape)).toEqual(expect.arrayContaining(Object.keys(shipped)));
      if (pods.name !== 'server' && pods.name !== 'worker') continue;
      const config = loadConfig(filledIn(shipped), pods.name);
      expect(config).toMatchObject({ production: true, secure: true, trustedProxies: 1, host: '0.0.0.0' });
      expect(config.storage.kind).toBe('s3');
    }
  });

  test.for(overlays)('of %s are refused as they are shipped', (name) => {
    const rendered = openOverlay(name);
    // Each is asked only for what it reads.
    const refusals = podsOf(rendered)
      .filter((pods) => pods.name === 'server' || pods.name === 'worker')
      .map((pods) => refusalOf(() => loadConfig(environmentOf(rendered, pods), pods.name as Program)))
      .join('; ');
    for (const setting of [
      'SESSION_SECRET',
      'SEALING_KEYS',
      'WEBHOOK_KEYS',
      'STRIPE_SECRET_KEY',
      'MAIL_FROM',
      'SUPPORT_ADDRESS',
      'CONTACT_ADDRESS',
    ]) {
      expect(refusals).toContain(setting);
    }
  });

  test.for(overlays)('of %s give each pod only the secrets that it needs', (name) => {
    const rendered = openOverlay(name);
    const stores = ['MONGODB_URL', 'QUEUE_URL', 'STORAGE_ACCESS_KEY_ID', 'STORAGE_SECRET_ACCESS_KEY'];
    const needed: Record<string, string[]> = {
      server: [
        ...stores,
        'SESSION_SECRET',
        'SEALING_KEYS',
        'WEBHOOK_KEYS',
        'STRIPE_SECRET_KEY',
        'STRIPE_WEBHOOK_SECRET',
      ],
      worker: [...stores, 'WEBHOOK_KEYS', 'OPENAI_API_KEY', 'STRIPE_SECRET_KEY', 'SMTP_URL'],
      migration: ['MONGODB_URL'],
      backup: ['MONGODB_URL'],
      audit: ['MONGODB_URL', 'STORAGE_ACCESS_KEY_ID', 'STORAGE_SECRET_ACCESS_KEY', 'STRIPE_SECRET_KEY'],
    };
    const secrets = Object.keys(rendered.get('Secret', 'secrets').data!);
    const given = podsOf(rendered).map((pods) => {
      const environment = environmentOf(rendered, pods);
      return [pods.name, secrets.filter((secret) => secret in environment).toSorted()] as const;
    });
    expect(Object.fromEntries(given)).toEqual(
      Object.fromEntries(Object.entries(needed).map(([pods, names]) => [pods, names.toSorted()])),
    );
  });

  test.for(overlays)('of %s keep secrets out of the ConfigMap', (name) => {
    const rendered = openOverlay(name);
    const settings = Object.keys(rendered.get('ConfigMap', 'settings').data!);
    expect(settings.filter((each) => /SECRET|KEY|MONGODB_URL|QUEUE_URL|SMTP_URL|WEBHOOK/.test(each))).toEqual(
      [],
    );
  });
});
