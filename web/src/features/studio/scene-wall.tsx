import clsx from 'clsx';
import { Bookmark, Check, Search } from 'lucide-react';
import { type CSSProperties, type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { type LookView, sceneGroups, sceneLibrary, sceneTemplates } from '#contract';
import { shortcutOf } from '#web/lib/shortcut.ts';
import { useSingleKeys } from '#web/lib/single-keys.ts';
import { focusAfterKey } from '#web/ui/grid-keys.ts';
import { Name } from '#web/ui/name.tsx';
import { isSketch, ScenePicture, type ShownCutout, type WallChoice } from './scene-picture.tsx';
import { isSameChoice, keyOfChoice, nameOfChoice, type SceneChoice } from './scene-words.ts';

type Category = 'all' | 'looks' | 'templates' | (typeof sceneGroups)[number]['id'];

interface Tile {
  choice: WallChoice;
  category: Category;
  name: string;
  /** What is searched besides the name. */
  words: string;
}

export interface SceneWallProps {
  looks: readonly LookView[];
  chosen: SceneChoice | undefined;
  /** Called with the chosen one as well, to take it out. */
  onChoose: (choice: WallChoice) => void;
  cutout: ShownCutout;
  /** Whether there is a product to be shown in the scenes. */
  hasPhoto: boolean;
  /** Opens the looks, to save, rename or delete one. */
  looksButton: ReactNode;
}

/** Looks, templates and scenes as one list of pictures. One tab stop; the arrow keys lead through it, `/` to the search. */
export function SceneWall({ looks, chosen, onChoose, cutout, hasPhoto, looksButton }: SceneWallProps) {
  const [category, setCategory] = useState<Category>('all');
  const [search, setSearch] = useState('');
  const searchField = useRef<HTMLInputElement>(null);
  const focusSearch = () => searchField.current?.focus();
  // Many keyboards type it with Shift.
  useSingleKeys({ '/': focusSearch, 'Shift+/': focusSearch });
  const all = tilesOf(looks);
  const wanted = search.trim().toLowerCase();
  const shown = all.filter(
    (tile) =>
      (category === 'all' || tile.category === category) &&
      `${tile.name} ${tile.words}`.toLowerCase().includes(wanted),
  );
  const categories: { id: Category; name: ReactNode }[] = [
    { id: 'all', name: 'All' },
    {
      id: 'looks',
      name: (
        <>
          <Bookmark aria-hidden className="size-4" />
          Your looks <span className="font-normal">{looks.length}</span>
        </>
      ),
    },
    { id: 'templates', name: 'Templates' },
    ...sceneGroups,
  ];
  return (
    <section aria-label="Scenes" className="min-w-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <div className="relative w-full sm:w-50">
          <Search
            aria-hidden
            className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-ink-soft"
          />
          <input
            ref={searchField}
            type="search"
            dir="auto"
            aria-label="Search scenes"
            aria-keyshortcuts="/"
            placeholder={`Search ${all.length} scenes`}
            autoComplete="off"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
            className="min-h-11 w-full rounded-field border border-line-strong bg-surface pr-3 pl-9 text-[0.9375rem] placeholder:text-ink-soft lg:min-h-9"
          />
        </div>
        <fieldset className="-mx-4 flex min-w-0 gap-1.5 overflow-x-auto px-4 py-1 max-sm:w-screen sm:mx-0 sm:px-1">
          <legend className="sr-only">Category</legend>
          {categories.map(({ id, name }) => (
            <button
              key={id}
              type="button"
              aria-pressed={category === id}
              onClick={() => setCategory(id)}
              className="inline-flex min-h-11 shrink-0 items-center gap-1.5 rounded-full border border-line bg-surface px-3 text-[0.8125rem] font-semibold hover:border-line-strong aria-pressed:border-ink aria-pressed:bg-ink aria-pressed:text-page lg:min-h-9"
            >
              {name}
            </button>
          ))}
        </fieldset>
        {category === 'looks' && looksButton}
        <p role="status" className="text-[0.8125rem] text-ink-soft xl:ml-auto">
          {hasPhoto && cutoutText(cutout)}
        </p>
      </div>
      {shown.length === 0 && (
        <p className="mt-5 text-ink-soft">
          {category === 'looks' && wanted === ''
            ? 'No looks yet. Save the words and options of the form, or of a finished image, as a look.'
            : `No scene has “${search.trim()}” in its name or words.`}
        </p>
      )}
      <TileGrid tiles={shown} chosen={chosen} onChoose={onChoose} cutout={cutout} />
    </section>
  );
}

/** What the pictures show. */
function cutoutText(cutout: ShownCutout): string {
  if (cutout === undefined) return 'Cutting out your product…';
  if (cutout === 'unanswered') {
    return 'Your product is not cut out: we could not be reached.';
  }
  return cutout
    ? 'Sketches with your cut-out'
    : 'Shown with other products: yours could not be cut out of its photo.';
}

/** Every tile, the seller's own looks first. */
function tilesOf(looks: readonly LookView[]): Tile[] {
  const choices: [Category, WallChoice, string][] = [
    ...looks.map((look): [Category, WallChoice, string] => ['looks', { kind: 'look', look }, look.scene]),
    ...sceneTemplates.map((name): [Category, WallChoice, string] => [
      'templates',
      { kind: 'template', name },
      '',
    ]),
    ...sceneLibrary.map(({ id, group, description }): [Category, WallChoice, string] => [
      group,
      { kind: 'library', id },
      description,
    ]),
  ];
  return choices.map(([category, choice, words]) => ({
    choice,
    category,
    words,
    name: nameOfChoice(choice),
  }));
}

interface TileGridProps {
  tiles: readonly Tile[];
  chosen: SceneChoice | undefined;
  onChoose: (choice: WallChoice) => void;
  cutout: ShownCutout;
}

/** When the cutout lands in the last pictures. */
const landingMostMs = 300;

function TileGrid({ tiles, chosen, onChoose, cutout }: TileGridProps) {
  const list = useRef<HTMLUListElement>(null);
  const chosenIndex = tiles.findIndex(({ choice }) => isSameChoice(choice, chosen));
  const [focused, setFocused] = useState<string | null>(null);
  const focusedIndex = tiles.findIndex(({ choice }) => keyOfChoice(choice) === focused);
  const tabStop = focusedIndex === -1 ? Math.max(0, chosenIndex) : focusedIndex;
  const move = (event: KeyboardEvent, index: number) => {
    const buttons = [...(list.current?.querySelectorAll('button') ?? [])];
    const top = buttons[0]?.offsetTop;
    const columns = Math.max(1, buttons.filter(({ offsetTop }) => offsetTop === top).length);
    const rowHeight = buttons[0]?.closest('li')?.offsetHeight || window.innerHeight;
    const rowsInView = Math.floor(window.innerHeight / rowHeight);
    const target = focusAfterKey(shortcutOf(event), index, { columns, rowsInView, count: tiles.length });
    if (target === undefined) return;
    event.preventDefault();
    buttons[target]?.focus();
  };
  return (
    <ul
      ref={list}
      className="mt-3 grid grid-cols-[repeat(auto-fill,minmax(6.25rem,1fr))] gap-x-3 gap-y-3 sm:grid-cols-[repeat(auto-fill,minmax(10rem,1fr))]"
    >
      {tiles.map(({ choice, name }, index) => {
        const key = keyOfChoice(choice);
        const isChosen = index === chosenIndex;
        return (
          <li
            key={key}
            className="relative"
            // The cutout lands in one picture after the other.
            style={{ '--land-delay': `${Math.min(index * 20, landingMostMs)}ms` } as CSSProperties}
          >
            <button
              type="button"
              aria-pressed={isChosen}
              tabIndex={index === tabStop ? 0 : -1}
              onFocus={() => setFocused(key)}
              onKeyDown={(event) => move(event, index)}
              onClick={() => onChoose(choice)}
              className="group block w-full rounded-field text-left"
            >
              <span
                className={clsx(
                  'relative flex aspect-square overflow-hidden rounded-[0.875rem] border bg-sunken',
                  isChosen
                    ? 'border-transparent outline-3 outline-offset-2 outline-accent'
                    : 'border-line group-hover:border-line-strong',
                )}
              >
                <ScenePicture choice={choice} cutout={cutout} sizes="(min-width: 40rem) 220px, 33vw" />
                {isChosen && isSketch(choice, cutout) && <SketchLabel />}
                {isChosen && (
                  <span className="absolute top-2 right-2 grid size-7 place-items-center rounded-full bg-accent text-accent-ink">
                    <Check aria-hidden className="size-4" strokeWidth={3} />
                  </span>
                )}
              </span>
              <span className="mt-2 flex items-start gap-1.5 text-[0.8125rem] leading-snug font-semibold">
                {choice.kind === 'look' && (
                  <Bookmark aria-hidden className="mt-0.5 size-3.5 shrink-0 text-accent" />
                )}
                <span className="min-w-0">
                  <Name>{name}</Name>
                  {isSketch(choice, cutout) && <span className="sr-only">, sketch</span>}
                </span>
              </span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}

/** Over a picture that is only laid together; screen readers hear it with the name. */
function SketchLabel() {
  return (
    <span
      aria-hidden
      className="absolute bottom-2 left-2 rounded-full bg-[#17120ccc] px-2.5 py-0.5 text-xs font-semibold text-[#fffdf9]"
    >
      Sketch
    </span>
  );
}
