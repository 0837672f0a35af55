/**
 * `npm run stripe:setup -- --url https://packshot.example`: creates products, prices, portal settings and the webhook
 * in the Stripe account of STRIPE_SECRET_KEY, and prints the settings for server and worker.
 */
import { readCommandLine, refuse } from '#scripts/command-line.ts';
import { openStripe } from '#shared/billing/client.ts';
import { givenSettings } from '#shared/platform/settings.ts';
import { setUpStripe } from './setup.ts';

const { values } = readCommandLine('stripe:setup', {
  about:
    'Creates products, prices, portal settings and the webhook in the Stripe account of STRIPE_SECRET_KEY.',
  options: {
    url: { takes: 'URL', about: 'the address at which Stripe reaches Packshot; by default PUBLIC_URL' },
  },
});
if (values.url !== undefined && !/^https?:\/\/./.test(values.url)) {
  refuse('stripe:setup', '--url must be an address that begins with http:// or https://');
}

try {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_API_URL: apiUrl, PUBLIC_URL } = givenSettings();
  const url = (values.url ?? PUBLIC_URL)?.replace(/\/+$/, '');
  if (secretKey === undefined) throw new Error('STRIPE_SECRET_KEY is not set');
  if (url === undefined)
    throw new Error('give the address at which Stripe reaches Packshot: --url https://… or PUBLIC_URL');
  const { changes, settings } = await setUpStripe(openStripe({ secretKey, apiUrl }), url);
  console.log(changes.length > 0 ? changes.join('\n') : 'nothing to change');
  for (const [name, value] of Object.entries(settings)) console.log(`\n${name}=${value}`);
} catch (error) {
  console.error(`stripe:setup: ${(error as Error).message}`);
  process.exitCode = 1;
}
