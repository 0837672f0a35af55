import { BookOpen, Braces, Mail } from 'lucide-react';
import { type ReactElement, useId } from 'react';
import { pages } from '#contract';
import { setSingleKeys, useSingleKeysOn } from '#web/lib/single-keys.ts';
import { OpenPopover } from '#web/ui/open-popover.tsx';
import { SiteLink } from '#web/ui/site/site-link.tsx';
import { Switch } from '#web/ui/switch.tsx';

const links = [
  { to: '/documentation', name: 'Guides', Icon: BookOpen },
  { to: '/documentation/api', name: 'API documentation', Icon: Braces },
  { to: pages.contact, name: 'Contact us', Icon: Mail },
];

/** The key that shortcuts start with. */
const control = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl';

/** Where a shortcut works, its keys, and what it does. */
const shortcuts: readonly { place: string; keys: readonly (readonly [keys: string[], does: string])[] }[] = [
  {
    place: 'Studio',
    keys: [
      [[control, 'V'], 'Add a copied photo'],
      [['/'], 'Search the scenes'],
      [['←', '→', '↑', '↓'], 'Next scene'],
      [['Enter'], 'Choose the scene'],
      [['1', '–', '4'], 'Number of images'],
      [[control, 'Enter'], 'Generate the image'],
      [['D'], 'Download the image'],
      [['C'], 'Compare, or stop comparing'],
    ],
  },
  {
    place: 'Several images',
    keys: [
      [['←', '→'], 'Previous or next image'],
      [['1', '–', '4'], 'Show one of them'],
    ],
  },
  {
    place: 'Library',
    keys: [
      [['←', '→', '↑', '↓'], 'Next image'],
      [['Space'], 'Mark or unmark'],
      [['Shift', '←', '→', '↑', '↓'], 'Mark a range'],
      [[control, 'A'], 'Mark all that are loaded'],
      [['Esc'], 'Clear marks'],
      [['Enter'], 'Open in the studio'],
    ],
  },
  {
    place: 'Full screen',
    keys: [
      [['+', '−'], 'Zoom'],
      [['Esc'], 'Close'],
    ],
  },
  {
    place: 'Comparing',
    keys: [
      [['+', '−'], 'Zoom both pictures'],
      [['0'], 'Show all of them'],
      [['←', '→', '↑', '↓'], 'Move both, or the divider'],
    ],
  },
  {
    place: 'Editor',
    keys: [
      [[control, 'Z'], 'Undo'],
      [[control, 'Shift', 'Z'], 'Redo'],
      [['←', '→', '↑', '↓'], 'Move the crop'],
      [['Shift', '←', '→', '↑', '↓'], 'Resize the crop'],
    ],
  },
];

/** Turns shortcuts without Ctrl on or off. */
function SingleKeys() {
  const id = useId();
  const on = useSingleKeysOn();
  return (
    <div className="mt-2 flex items-center justify-between gap-3 text-sm">
      <label htmlFor={id}>Keys of one letter or number</label>
      <Switch id={id} checked={on} onChange={setSingleKeys} />
    </div>
  );
}

/** Documentation, contact and keyboard shortcuts. */
export function HelpPopover({ trigger }: { trigger: ReactElement }) {
  return (
    <OpenPopover trigger={trigger} title="Help">
      {(close) => (
        <>
          <ul className="-mx-2">
            {links.map(({ to, name, Icon }) => (
              <li key={to}>
                <SiteLink
                  to={to}
                  onClick={close}
                  className="flex min-h-11 items-center gap-3 rounded-lg px-2 text-[0.9375rem] hover:bg-sunken"
                >
                  <Icon aria-hidden className="size-4.5 text-ink-soft" />
                  {name}
                </SiteLink>
              </li>
            ))}
          </ul>
          <h3 className="mt-3 border-t border-line pt-4 font-semibold">Keyboard shortcuts</h3>
          <SingleKeys />
          <dl className="text-sm">
            {shortcuts.map(({ place, keys }) => (
              <div key={place} className="mt-3">
                <dt className="text-ink-soft">{place}</dt>
                {keys.map(([keyNames, does]) => (
                  <dd key={does} className="mt-1.5 flex items-center justify-between gap-3">
                    {does}
                    <span className="flex gap-1">
                      {keyNames.map((key) => (
                        <kbd
                          key={key}
                          className="min-w-6 rounded-md border border-line-strong bg-sunken px-1.5 py-0.5 text-center font-sans text-xs"
                        >
                          {key}
                        </kbd>
                      ))}
                    </span>
                  </dd>
                ))}
              </div>
            ))}
          </dl>
        </>
      )}
    </OpenPopover>
  );
}
