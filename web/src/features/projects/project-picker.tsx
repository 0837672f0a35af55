import { useEffect, useEffectEvent, useId } from 'react';
import { Link } from 'react-router-dom';
import { defaultProjectName, pages } from '#contract';
import { textLinkClass } from '#web/ui/button.tsx';
import { nameOption } from '#web/ui/name.tsx';
import { Select } from '#web/ui/select.tsx';
import { useProjects } from './api.ts';

interface ProjectPickerProps {
  /** Null for the default project. */
  value: string | null;
  onChange: (id: string | null) => void;
}

/** Chooses the project that new images are added to. */
export function ProjectPicker({ value, onChange }: ProjectPickerProps) {
  const id = useId();
  const { data: projects } = useProjects();
  const options = (projects ?? []).map(({ id: projectId, name, isDefault }) =>
    nameOption(isDefault ? '' : projectId, name),
  );
  const known = options.some((option) => option.value === (value ?? ''));
  const leaveDeleted = useEffectEvent(() => onChange(null));
  const isDeleted = projects !== undefined && !known;
  useEffect(() => {
    if (isDeleted) leaveDeleted();
  }, [isDeleted]);
  return (
    <div>
      <div className="mb-1.5 flex items-baseline justify-between gap-3 text-sm">
        <label htmlFor={id} className="font-semibold">
          Project
        </label>
        <Link to={pages.projects} className={textLinkClass}>
          All projects
        </Link>
      </div>
      <Select
        id={id}
        value={known ? (value ?? '') : ''}
        options={known ? options : [{ value: '', label: defaultProjectName }]}
        onChange={(next) => onChange(next === '' ? null : next)}
      />
    </div>
  );
}
