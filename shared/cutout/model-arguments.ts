/** Another model than the one that comes with the product, as the programs that use it get it: on their command lines. */

/** How a model wants its input normalised. */
export type ModelFamily = 'u2net' | 'isnet';

/** A model of the installation. */
export interface ChosenModel {
  /** Path of an ONNX file. */
  file: string;
  /** By the size of its input unless given. */
  family?: ModelFamily | undefined;
}

const flag = '--cutout-model=';

/** The arguments for a program that uses a model; none for the one that comes with the product. */
export function argumentsOfModel(model: ChosenModel | undefined): string[] {
  return model === undefined ? [] : [`${flag}${JSON.stringify(model)}`];
}

/** The model of a program's arguments; undefined for the one that comes with the product. */
export function modelOfArguments(args: readonly string[]): ChosenModel | undefined {
  const given = args.find((argument) => argument.startsWith(flag));
  return given === undefined ? undefined : (JSON.parse(given.slice(flag.length)) as ChosenModel);
}
