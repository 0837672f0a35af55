// Sets the theme before the first paint, so that a dark page never flashes light. A file of its own because the
// content security policy refuses inline scripts. src/lib/theme.ts keeps it up to date from then on.
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
