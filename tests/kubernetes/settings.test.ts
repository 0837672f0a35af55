/** The settings that the overlays of `deploy/kubernetes/` give to their pods. */
import { describe, expect, test } from 'vitest';
import { loadConfig } from '#shared/platform/config.ts';
import { settingsSchema } from '#shared/platform/settings.ts';
import { overlays } from '#tests/support/kubernetes.ts';
import { environmentOf, filledIn, isRendered, openOverlay, podsOf } from './overlay.ts';

describe.runIf(isRendered)('the settings', () => {
  test.for(overlays)('of %s exist, and are fit for production once filled in', (name) => {
    const rendered = openOverlay(name);
    for (const pods of podsOf(rendered)) {
      const shipped = environmentOf(rendered, pods);
      expect(Object.keys(settingsSchema.shape)).toEqual(expect.arrayContaining(Object.keys(shipped)));
      const config = loadConfig(filledIn(shipped));
      expect(config).toMatchObject({ production: true, secure: true, trustedProxies: 1, host: '0.0.0.0' });
      expect(config.storage.kind).toBe('s3');
    }
  });

  test.for(overlays)('of %s are refused as they are shipped', (name) => {
    const rendered = openOverlay(name);
    for (const setting of [
      'SESSION_SECRET',
      'SEALING_KEYS',
      'STRIPE_SECRET_KEY',
      'MAIL_FROM',
      'SUPPORT_ADDRESS',
      'CONTACT_ADDRESS',
    ]) {
      const shipped = environmentOf(rendered, podsOf(rendered)[0]!);
      expect(() => loadConfig(shipped)).toThrow(setting);
    }
  });

  test.for(overlays)('of %s keep secrets out of the ConfigMap', (name) => {
    const rendered = openOverlay(name);
    const settings = Object.keys(rendered.get('ConfigMap', 'settings').data!);
    expect(settings.filter((each) => /SECRET|KEY|MONGODB_URL|QUEUE_URL|SMTP_URL|WEBHOOK/.test(each))).toEqual(
      [],
    );
  });
});
