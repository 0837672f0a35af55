// Runs before the app and the first paint. A separate file because the content security policy forbids inline scripts.
// Its syntax is that of 2015, so that browsers which are too old for the app can read it.

// Zod compiles schemas with `new Function`, which the policy forbids and reports; this turns it off.
window.__zod_globalConfig = { jitless: true };

// Sets the theme early, so that a dark page does not flash light. src/lib/theme.ts keeps it up to date afterwards.
{
  let choice = null;
  try {
    choice = localStorage.getItem('packshot-theme');
  } catch (_) {
    // Storage may be blocked: the system's theme is used.
  }
  const dark =
    choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
}

// Holds back a form that is sent before the app runs: the browser would send it with the password in the address.
// src/app/early-input.ts sends it then.
window.earlySubmit = { form: null, hold: true };
addEventListener(
  'submit',
  (event) => {
    if (!earlySubmit.hold) return;
    event.preventDefault();
    earlySubmit.form = event.target.id ? `#${event.target.id}` : 'form';
  },
  { capture: true },
);

// Names a browser that is older than those of shared/contract/oldest-browsers.ts: it lacks a function or a style that all of them have.
{
  const reads = (pattern) => {
    try {
      return Boolean(new RegExp(pattern));
    } catch (_) {
      return false;
    }
  };
  const draws = (...condition) => CSS.supports(...condition);
  const isNewEnough =
    'with' in Array.prototype &&
    reads('(?<=a)b') &&
    draws('color', 'color-mix(in oklab, red, blue)') &&
    draws('selector(:has(a))');
  if (!isNewEnough) {
    document.documentElement.dataset.tooOld = '';
    const notice = document.createElement('script');
    notice.src = '/too-old.js';
    document.head.append(notice);
  }
}
