/** Set-up of unit tests, whose files share a process: what a test faked is put back after it, so that no other one meets it. */
import { afterEach, vi } from 'vitest';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});
