// Runs before the app and the first paint. A file of its own because the content security policy refuses inline
// scripts.

// Zod compiles its schemas with `new Function`, which the policy refuses and reports: it is told to go without.
globalThis.__zod_globalConfig = { jitless: true };

// The theme, so that a dark page never flashes light. src/lib/theme.ts keeps it up to date from then on.
{
  let choice = null;
  try {
    choice = localStorage.getItem('packshot-theme');
  } catch {
    // Storage may be blocked: the system's theme is used.
  }
  const dark =
    choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
}
