import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Projects with long files and tests that wait come first; the many short files of the others fill the end of the run. */
const first = ['unit', 'isolated'];

/** Vitest's order of files, with these projects first instead of all projects by name. A project's files stay together. */
export class ProjectSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const filesOf = (name: string) => sorted.filter(({ project }) => project.name === name);
    return [...first.flatMap(filesOf), ...sorted.filter(({ project }) => !first.includes(project.name))];
  }
}
