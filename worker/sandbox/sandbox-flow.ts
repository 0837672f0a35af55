import { generationFailureCodes } from '#contract';
import type { ProviderFlow } from '#worker/flow/provider-pause.ts';
import { failures } from '#worker/flow/retry-policy.ts';

/** How long a test image waits for a provider that is busy before its next try, and in all before it fails, in ms. */
const nextTryMs = 1_000;
const longestMs = 2_500;

/** What is known of calls in the sandbox: each image is alone, so that no test of one seller delays those of others. */
export const sandboxFlow: ProviderFlow = {
  pause: async () => ({ seen: null, obstacle: undefined }),
  async refused({ calls }, _seen, error) {
    const now = Date.now();
    const code = generationFailureCodes.find((each) => each === error.code);
    return {
      waitingFor: 'provider',
      reason: error.message,
      since: calls.refused_since ?? new Date(now),
      until: new Date(now + nextTryMs),
      longestMs: code ? 0 : longestMs,
      code: code ?? failures.busy,
      error,
    };
  },
  isAway: async () => false,
  async accepted() {},
  async image() {},
};
