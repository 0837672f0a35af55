import { readEnvironment } from '#shared/platform/environment.ts';
import type { GivenSettings } from '#shared/platform/settings.ts';

/**
 * The environment for a child process: this process's own with some settings replaced. It also limits glibc to one
 * memory arena: image code allocates on many threads, and glibc would keep an arena of freed memory for each of them
 * (measured: 180 MB instead of 70). What is larger than a megabyte goes back to the system when it is freed.
 */
export function childEnvironment(replaced: GivenSettings): NodeJS.ProcessEnv {
  return {
    MALLOC_ARENA_MAX: '1',
    MALLOC_MMAP_THRESHOLD_: String(2 ** 20),
    ...readEnvironment(),
    ...replaced,
  };
}
