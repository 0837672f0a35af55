// Runs before the app and the first paint. A separate file because the content security policy forbids inline scripts.

// Zod compiles schemas with `new Function`, which the policy forbids and reports; this turns it off.
globalThis.__zod_globalConfig = { jitless: true };

// Sets the theme early, so that a dark page does not flash light. src/lib/theme.ts keeps it up to date afterwards.
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

// Holds back a form that is sent before the app runs: the browser would send it with the password in the address.
// src/app/early-input.ts sends it then.
globalThis.earlySubmit = { form: null, hold: true };
addEventListener(
  'submit',
  (event) => {
    if (!earlySubmit.hold) return;
    event.preventDefault();
    earlySubmit.form = event.target.id ? `#${event.target.id}` : 'form';
  },
  { capture: true },
);
