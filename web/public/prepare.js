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

// Loads the page anew when a part of it cannot be had: its release may be gone. Once for each release, with a mark that lasts
// as long as this address is shown and needs no storage. src/lib/full-load.ts does so for what is loaded later.
{
  const answerMs = 10_000;
  const isAnswered = () =>
    fetch(location.href, { method: 'HEAD', cache: 'no-store', signal: AbortSignal.timeout?.(answerMs) }).then(
      ({ status }) => status < 500,
      () => false,
    );
  const fullLoads = () => history.state?.fullLoads ?? [];
  const begin = async (before) => {
    const { release } = document.documentElement.dataset;
    // Without a connection, this page is better than none.
    if (!release || fullLoads().includes(release) || !(await isAnswered())) return;
    await before?.();
    history.replaceState({ ...history.state, fullLoads: [...fullLoads(), release] }, '');
    location.reload();
    // Somebody may choose to stay.
    await new Promise((resolve) => setTimeout(resolve, answerMs));
  };
  let begun;
  globalThis.loadAnew = (before) => {
    begun ??= begin(before).finally(() => {
      begun = undefined;
    });
    return begun;
  };

  const say = () => {
    const message = document.createElement('p');
    message.setAttribute('role', 'alert');
    // There may be no style sheet.
    message.style.cssText =
      'position:fixed;inset:auto 1rem 1rem;z-index:99;margin:0;padding:1rem;border-radius:.75rem;background:#171512;color:#f6f3ee;font:1rem/1.5 system-ui,sans-serif;text-align:center';
    message.textContent = "We couldn't load this page completely. Check your connection and reload the page.";
    document.body.append(message);
  };
  addEventListener(
    'error',
    ({ target }) => {
      const isCode = target?.tagName === 'SCRIPT' || target?.rel === 'stylesheet';
      if (isCode && document.readyState !== 'complete') loadAnew().then(say);
    },
    { capture: true },
  );
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
