import { useInfiniteQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Link } from 'react-router-dom';
import { type GenerationList, type GenerationView, type ProjectView, pages } from '#contract';
import { queryKeys } from '#web/lib/query-keys.ts';
import { Button } from '#web/ui/button.tsx';
import { PagedListFooter } from '#web/ui/list-status.tsx';
import { Name, nameOption } from '#web/ui/name.tsx';
import { Select } from '#web/ui/select.tsx';
import { imageCountText, listImages, useMoveImages } from './api.ts';

interface ProjectImagesProps {
  project: ProjectView;
  /** The seller's projects, to move images to. */
  projects: readonly ProjectView[];
}

/** The images in a project, newest first; those that are marked can be moved to another one. */
export function ProjectImages({ project, projects }: ProjectImagesProps) {
  const list = useInfiniteQuery({
    queryKey: queryKeys.projectImages(project.id),
    queryFn: ({ pageParam, signal }) => listImages(project.id, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page: GenerationList) => page.nextCursor,
  });
  const views = list.data?.pages.flatMap(({ generations }) => generations) ?? [];
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());
  const toggle = (id: string) =>
    setMarked(
      (before) => new Set(before.has(id) ? [...before].filter((each) => each !== id) : [...before, id]),
    );
  return (
    <>
      {marked.size > 0 && (
        <MoveBar
          ids={[...marked]}
          targets={projects.filter(({ id }) => id !== project.id)}
          onDone={() => setMarked(new Set())}
        />
      )}
      {list.data && views.length === 0 && (
        <p className="text-ink-soft">There are no images in this project yet.</p>
      )}
      <ul className="grid grid-cols-2 gap-x-3 gap-y-5 sm:grid-cols-4 lg:grid-cols-6">
        {views.map((view) => (
          <Tile key={view.id} view={view} marked={marked.has(view.id)} onToggle={() => toggle(view.id)} />
        ))}
      </ul>
      <PagedListFooter list={list} />
    </>
  );
}

interface TileProps {
  view: GenerationView;
  marked: boolean;
  onToggle: () => void;
}

/** An image: a link to the studio, and a box that marks it. */
function Tile({ view, marked, onToggle }: TileProps) {
  const name = view.productName || view.prompt;
  const url = view.edits?.thumbnailUrl ?? view.image?.thumbnailUrl ?? view.photos[0]?.thumbnailUrl;
  return (
    <li className="relative">
      <Link
        to={`${pages.dashboard}?${new URLSearchParams({ generation: view.id })}`}
        className="group block rounded-field"
      >
        <span className="block aspect-square overflow-hidden rounded-field ring-1 ring-line group-hover:ring-line-strong">
          {url && (
            <img
              src={url}
              alt=""
              loading="lazy"
              className={view.image ? 'size-full object-cover' : 'size-full object-cover opacity-40'}
            />
          )}
        </span>
        <Name className="mt-1.5 block truncate text-sm font-medium">{name}</Name>
      </Link>
      <label className="absolute top-0 left-0 grid size-11 cursor-pointer place-items-center">
        <span className="sr-only">
          Mark <Name>{name}</Name>
        </span>
        <input
          type="checkbox"
          checked={marked}
          onChange={onToggle}
          className="size-5 rounded accent-accent"
        />
      </label>
    </li>
  );
}

interface MoveBarProps {
  ids: readonly string[];
  targets: readonly ProjectView[];
  onDone: () => void;
}

/** Moves the marked images to another project. */
function MoveBar({ ids, targets, onDone }: MoveBarProps) {
  const id = useId();
  const [chosen, setChosen] = useState<string>();
  const target = targets.find((project) => project.id === chosen) ?? targets[0];
  const { mutate, isPending } = useMoveImages(ids, onDone);
  return (
    <div className="sticky top-16 z-10 mb-4 flex flex-wrap items-center gap-3 rounded-card border border-line bg-surface p-3 shadow-card">
      <p className="font-semibold">{imageCountText(ids.length)} marked</p>
      {target ? (
        <>
          <div className="flex items-center gap-2 sm:ml-auto">
            <label htmlFor={id} className="text-sm whitespace-nowrap">
              Move to
            </label>
            <Select
              id={id}
              value={target.id}
              options={targets.map((project) => nameOption(project.id, project.name))}
              onChange={setChosen}
            />
          </div>
          <Button onClick={() => mutate(target)} disabled={isPending}>
            Move
          </Button>
        </>
      ) : (
        <p className="ml-auto text-sm text-ink-soft">Create another project to move them there.</p>
      )}
      <Button variant="quiet" onClick={onDone}>
        Clear
      </Button>
    </div>
  );
}
