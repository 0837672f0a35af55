/**
 * Set-up of unit tests, whose files share a process: what a test faked is put back after it, so that no other one meets it.
 * Their pictures, and those of the scripts, are drawn as SVG, which the product cannot open.
 */
import sharp from 'sharp';
import { afterEach, vi } from 'vitest';
// It blocks SVG, which must come first.
import '#shared/platform/sharp.ts';

sharp.unblock({ operation: ['VipsForeignLoadSvg'] });

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});
