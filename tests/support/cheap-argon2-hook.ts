/** Makes a process import `cheap-argon2.ts` in place of `@node-rs/argon2`. Loaded with `--import`. */
import { registerHooks } from 'node:module';

const cheap = new URL('cheap-argon2.ts', import.meta.url).href;

registerHooks({
  resolve(specifier, context, nextResolve) {
    if (specifier === '@node-rs/argon2' && context.parentURL !== cheap)
      return { url: cheap, shortCircuit: true };
    return nextResolve(specifier, context);
  },
});
