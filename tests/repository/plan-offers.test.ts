/**
 * Every place that offers a paid plan or a pack shows the amount before it is charged: in the dialog of the plan page, or on a page of
 * Stripe. A new place fails here until it is listed with its way.
 */
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const sources = globSync('{web/src,server,shared,worker}/**/*.{ts,tsx}').filter(
  (file) => !/\.test\.tsx?$/.test(file),
);
const filesWith = (pattern: RegExp) =>
  sources.filter((file) => pattern.test(readFileSync(file, 'utf8'))).toSorted();

/** Code that selects a plan, and how the amount is shown before. */
const offers: Readonly<Record<string, string>> = {
  'web/src/features/plan/billing.tsx': 'a running plan: ChangePlanDialog; none: the checkout',
  'web/src/features/plan/plan-gate-message.tsx': 'only without a running plan: the checkout',
};

/** Links to the plans of the plan page, where the dialog is. */
const links = [
  'web/src/app/profile-pages.ts',
  'web/src/features/landing/landing-page.tsx',
  'web/src/features/plan/plan-gate-message.tsx',
  'web/src/features/studio/dock.tsx',
];

test('a plan is selected only where the amount is shown before', () => {
  expect(filesWith(/useSubscribe\(\{/)).toEqual(
    [...Object.keys(offers), 'web/src/features/plan/change-plan.ts'].toSorted(),
  );
  expect(filesWith(/paths\.subscribe\b/)).toEqual([
    'server/billing/routes.ts',
    'web/src/features/plan/change-plan.ts',
  ]);
  expect(filesWith(/pages\.plan\}#plans/)).toEqual(links);
});

test('an amount is agreed to where it is shown: in the dialog, and beside the button of a pack', () => {
  expect(filesWith(/\bagreed\b/).filter((file) => file.startsWith('web/'))).toEqual([
    'web/src/features/plan/change-plan-dialog.tsx',
    'web/src/features/plan/change-plan.ts',
    'web/src/features/plan/image-packs.tsx',
    'web/src/features/plan/plan-change-labels.ts',
  ]);
});

test('mails and redirects lead to the plan page and select nothing', () => {
  const others = filesWith(/\bpages\.plan\b/).filter((file) => !file.startsWith('web/'));
  expect(others).toEqual([
    'server/billing/checkout.ts',
    'server/billing/portal.ts',
    'shared/billing/status-emails.ts',
  ]);
});
