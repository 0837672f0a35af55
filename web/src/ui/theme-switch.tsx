import { type QueryClient, QueryClientContext } from '@tanstack/react-query';
import { Monitor, Moon, Sun } from 'lucide-react';
import { useContext } from 'react';
import { type Theme, themes } from '#contract';
import { mayBeSignedIn } from '#web/lib/signed-in-flag.ts';
import { setTheme, useTheme } from '#web/lib/theme.ts';

/** Name and icon of each theme. */
export const themeLabels: Readonly<Record<Theme, { label: string; Icon: typeof Sun }>> = {
  light: { label: 'Light', Icon: Sun },
  dark: { label: 'Dark', Icon: Moon },
  system: { label: 'System', Icon: Monitor },
};

/** Chooses the theme of this browser and, if somebody is signed in, of the account. */
export function ThemeSwitch() {
  const current = useTheme();
  // Undefined on public pages until a page has asked for the account.
  const client = useContext(QueryClientContext);
  return (
    <fieldset className="inline-flex rounded-full border border-line bg-surface p-0.5">
      <legend className="sr-only">Theme</legend>
      {themes.map((theme) => {
        const { label, Icon } = themeLabels[theme];
        return (
          <label
            key={theme}
            title={label}
            className="grid size-11 place-items-center rounded-full text-ink-soft hover:text-ink has-checked:bg-sunken has-checked:text-ink has-focus-visible:outline-[2.5px] has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              name="theme"
              value={theme}
              checked={current === theme}
              onChange={() => chooseTheme(theme, client)}
              className="sr-only"
            />
            <Icon aria-hidden className="size-4.5" />
            <span className="sr-only">{label}</span>
          </label>
        );
      })}
    </fieldset>
  );
}

function chooseTheme(theme: Theme, client: QueryClient | undefined): void {
  setTheme(theme);
  if (!mayBeSignedIn()) return;
  // This browser keeps the theme even if the account does not.
  import('#web/lib/save-theme.ts').then(({ saveTheme }) => saveTheme(theme, client)).catch(() => {});
}
