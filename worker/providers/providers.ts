import type { ImageProviderName } from '#contract';
import type { Config } from '#shared/platform/config.ts';
import { startEcho } from './echo/start.ts';
import { startOpenAi } from './openai/start.ts';
import type { Provider } from './provider.ts';

/** How each provider is started. The local renderer takes OpenAI's requests. */
const starters: Readonly<Record<ImageProviderName, (config: Config['image']) => Provider>> = {
  openai: startOpenAi,
  local: startOpenAi,
  echo: startEcho,
};

/** Starts the provider of this installation. */
export function startProvider(config: Config['image']): Provider {
  return starters[config.provider](config);
}
