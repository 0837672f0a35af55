import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Projects with long files and tests that wait come first; the many short files of the others fill the end of the run. */
const firstProjects = ['unit', 'isolated', 'simulation', 'topologies', 'prometheus', 'kubernetes'];

/** Files of minutes, which come first in their project. */
const firstFiles = /\/(start|dev|account-crash)\.full\.test\.ts$/;

/** Vitest's order of files, with these first instead of all projects by name. A project's files stay together. */
export class ProjectSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ project, moduleId }: TestSpecification) =>
      firstProjects.includes(project.name) ? 0 : firstFiles.test(moduleId) ? 1 : 2;
    return sorted.toSorted((one, other) => rank(one) - rank(other));
  }
}
