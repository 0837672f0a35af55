/** Complete documents with defaults, so that a test states only the fields that it is about. */
import { defaultOptions } from '#contract';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import type { MinuteRow } from '#shared/data/operator/minutes.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';

/** When the sample documents were made. */
export const sampleDate = new Date('2026-11-21T23:59:00Z');

/** What every row of a generation has, for tests that store rows without making images. */
export const rowDefaults = (id: string) => ({
  _id: id,
  idempotency_key: id,
  fingerprint: id,
  prompt: 'On a wooden table',
  count: 1,
  quality: 'high' as const,
  photos_show: 'one-product' as const,
  options: { ...defaultOptions, negativePrompt: '', seed: null },
  photo_set: id,
  set: { id, index: 0, size: 1 },
  trace: { id: '0'.repeat(32), parent: null },
});

/** A queued generation of the seller `seller` with one photo. @param details fields that differ */
export const sampleRow = (details: Partial<GenerationRow> = {}): GenerationRow => ({
  ...rowDefaults('0123456789abcdef01234567'),
  profile: 'seller',
  product_name: 'Cup',
  photos: [{ key: 'photo-sets/set/photo-0.png', width: 1, height: 1, bytes: 1, warnings: [] }],
  photo_set: 'set',
  state: 'queued',
  revision: 3,
  fence: 0,
  priority: 10_000,
  lease_until: null,
  progress: null,
  preview_key: null,
  image: null,
  failure: null,
  calls: { started: 0, under_way: false, lost: 0, server_errors: 0 },
  provider: null,
  queued_at: sampleDate,
  created_at: sampleDate,
  started_at: null,
  ended_at: null,
  ...details,
});

/** A profile that never paid for its plan and has no images. @param details fields that differ */
export const sampleProfile = (details: Partial<ProfileRow> = {}): ProfileRow => ({
  _id: 'seller',
  email: 'ann@shop.example',
  full_name: 'Ann',
  subscription_plan: 'freelance',
  subscription_status: 'inactive',
  credits: 100,
  unmade_at: null,
  generations_left: 0,
  total_generations: 100,
  granted: 0,
  settled: 0,
  settled_unlimited: 0,
  forfeited: 0,
  refunded: 0,
  holds: [],
  grants: [],
  forfeits: [],
  refunds: [],
  reinstates: [],
  support_added: [],
  support_removed: [],
  packs: [],
  pack_returns: [],
  support: { added: 0, removed: 0 },
  free_images: { due: false, granted: 0, left: 0 },
  remakes: { month: null, used: 0, made: 0 },
  fair_use: { period_start: null, used: 0 },
  stripe_customer_id: 'cus_1',
  former_customers: [],
  subscription_id: null,
  subscription_data: null,
  grace_until: null,
  images_end_at: null,
  period_refunded: false,
  returned_grant: null,
  billing_asked: 0,
  billing_applied: 0,
  pending_emails: [],
  billing_lease_until: null,
  billing_seen_at: null,
  billing_retry: null,
  revision: 0,
  last_login: null,
  login_count: 0,
  account_locked: false,
  security_level: 'standard',
  two_factor_enabled: false,
  email_verified: true,
  deletion_asked_at: null,
  created_at: sampleDate,
  updated_at: sampleDate,
  ...details,
});

/** The fields of a profile whose plan is paid for a month. */
export const paidPlan: Partial<ProfileRow> = {
  subscription_status: 'active',
  subscription_id: 'sub_1',
  subscription_data: {
    current_period_start: sampleDate,
    current_period_end: new Date('2026-12-21T23:59:00Z'),
    cancel_at_period_end: false,
    payment_method: 'card',
    last4: '4242',
    card_brand: 'visa',
    is_trial: false,
    trial_end: null,
    next_plan: null,
    plan_since: sampleDate,
  },
};

/** A minute of an installation in which one worker has nothing to do. @param details fields that differ */
export const sampleMinute = (details: Partial<MinuteRow> = {}): MinuteRow => ({
  _id: 'm',
  at: sampleDate,
  sampled_at: sampleDate,
  waiting: 0,
  running: 0,
  delayed: 0,
  failed_jobs: 0,
  oldest_waiting: 0,
  sockets: 0,
  workers: 1,
  images: 0,
  ...details,
});
