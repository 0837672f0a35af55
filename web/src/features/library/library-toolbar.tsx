import clsx from 'clsx';
import { Search, SlidersHorizontal } from 'lucide-react';
import { type ReactNode, useEffect, useEffectEvent, useId, useState } from 'react';
import { limits, type ProjectView, sceneTemplates, visibleStates } from '#contract';
import { Button } from '#web/ui/button.tsx';
import { inputClass } from '#web/ui/field.tsx';
import { stateLabels } from '#web/ui/generation-thumbnail.tsx';
import { nameOption } from '#web/ui/name.tsx';
import { Select } from '#web/ui/select.tsx';
import { isFiltered, type LibraryFilters } from './library-filters.ts';

/** How long a seller pauses in typing before the search begins. */
const searchDelayMs = 300;

interface LibraryToolbarProps {
  filters: LibraryFilters;
  onChange: (change: Partial<LibraryFilters>) => void;
  projects: readonly ProjectView[];
}

const anyOption = (label: string) => ({ value: '', label });
const stateOptions = [
  anyOption('All states'),
  ...visibleStates.map((value) => ({ value: value as string, label: stateLabels[value] })),
];
const templateOptions = [
  anyOption('All templates'),
  ...sceneTemplates.map((value) => ({ value: value as string, label: value as string })),
];
const favouriteOptions = [anyOption('All images'), { value: 'true', label: 'Favourites' }];
const sortOptions = [
  anyOption('Newest first'),
  { value: 'oldest', label: 'Oldest first' },
  { value: 'name', label: 'Name' },
];

/** Search, filters and sort. On a phone the filters are behind a button. */
export function LibraryToolbar({ filters, onChange, projects }: LibraryToolbarProps) {
  const [isOpen, setIsOpen] = useState(isFiltered({ ...filters, q: '' }));
  const panelId = useId();
  const projectOptions = [anyOption('All projects'), ...projects.map(({ id, name }) => nameOption(id, name))];
  const choices = [
    ['project', 'Project', projectOptions],
    ['state', 'State', stateOptions],
    ['template', 'Template', templateOptions],
    ['favourite', 'Favourites', favouriteOptions],
  ] as const;
  return (
    <search className="mb-5 grid gap-3">
      <div className="flex gap-2">
        <SearchField query={filters.q} onSearch={(q) => onChange({ q })} />
        <Button
          variant="secondary"
          aria-expanded={isOpen}
          aria-controls={panelId}
          onClick={() => setIsOpen(!isOpen)}
          className="md:hidden"
        >
          <SlidersHorizontal aria-hidden className="size-4.5" />
          Filters
        </Button>
      </div>
      <div
        id={panelId}
        className={clsx('grid grid-cols-2 gap-3 md:grid-cols-4 xl:grid-cols-7', !isOpen && 'max-md:hidden')}
      >
        {choices.map(([name, label, options]) => (
          <Labelled key={name} label={label}>
            {(id) => (
              <Select
                id={id}
                value={options.some(({ value }) => value === filters[name]) ? filters[name] : ''}
                options={options}
                onChange={(value) => onChange({ [name]: value })}
              />
            )}
          </Labelled>
        ))}
        <DayField
          label="From"
          value={filters.from}
          max={filters.to}
          onChange={(from) => onChange({ from })}
        />
        <DayField label="To" value={filters.to} min={filters.from} onChange={(to) => onChange({ to })} />
        <Labelled label="Sort by">
          {(id) => (
            <Select
              id={id}
              value={filters.sort}
              options={sortOptions}
              onChange={(sort) => onChange({ sort })}
            />
          )}
        </Labelled>
      </div>
    </search>
  );
}

/** What is typed is searched after a pause; it changes when the address does, for example when filters are cleared. */
function SearchField({ query, onSearch }: { query: string; onSearch: (query: string) => void }) {
  const [text, setText] = useState(query);
  const [searched, setSearched] = useState(query);
  if (query !== searched) {
    setSearched(query);
    // Not while typing: the seller may be further already.
    if (text.trim() !== query) setText(query);
  }
  const search = useEffectEvent(() => {
    if (text.trim() !== query) {
      setSearched(text.trim());
      onSearch(text.trim());
    }
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change begins the pause again
  useEffect(() => {
    const timer = setTimeout(search, searchDelayMs);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <div className="relative min-w-0 flex-1">
      <Search
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-3.5 size-4.5 -translate-y-1/2 text-ink-soft"
      />
      <input
        type="search"
        dir="auto"
        aria-label="Search by name, SKU or scene"
        placeholder="Name, SKU or scene"
        value={text}
        maxLength={limits.searchCharacters}
        onChange={(event) => setText(event.target.value)}
        className={`${inputClass} pl-10`}
      />
    </div>
  );
}

function Labelled({ label, children }: { label: string; children: (id: string) => ReactNode }) {
  const id = useId();
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="mb-1 block text-sm text-ink-soft">
        {label}
      </label>
      {children(id)}
    </div>
  );
}

interface DayFieldProps {
  label: string;
  value: string;
  min?: string;
  max?: string;
  onChange: (day: string) => void;
}

function DayField({ label, value, min, max, onChange }: DayFieldProps) {
  return (
    <Labelled label={label}>
      {(id) => (
        <input
          id={id}
          type="date"
          value={value}
          min={min}
          max={max}
          onChange={(event) => onChange(event.target.value)}
          className={inputClass}
        />
      )}
    </Labelled>
  );
}
