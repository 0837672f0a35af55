import { limits } from '#contract';
import type { Config } from './config.ts';
import { dailyImagesOfAll } from './daily-images.ts';

/** No seller of the sandbox reaches it: what counts there is the limit of a day. */
const noLimit = 1_000_000_000;

/**
 * The settings of the sandbox (docs/decisions/0139-a-sandbox-beside-what-is-real.md): a queue of its own, and the limits of test
 * sellers in place of those that protect what costs money.
 */
export const sandboxConfig = (config: Config): Config => ({
  ...config,
  queueName: `${config.queueName}-test`,
  dailyImages: dailyImagesOfAll(limits.testImagesADay),
  unpaidCallsFactor: noLimit,
  // None.
  refusalsADay: 0,
  billing: { ...config.billing, fairUse: noLimit },
});
