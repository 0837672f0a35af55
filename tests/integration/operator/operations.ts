import { paths } from '#contract';

/** Every operation under `/api/operator`, from the server's own document. */
export async function operatorOperations(url: string): Promise<[method: string, path: string][]> {
  const document = (await (await fetch(`${url + paths.docs}/json`)).json()) as {
    paths: Record<string, Record<string, unknown>>;
  };
  return Object.entries(document.paths)
    .filter(([path]) => path.startsWith('/api/operator'))
    .flatMap(([path, methods]) =>
      Object.keys(methods).map((method): [string, string] => [
        method.toUpperCase(),
        path.replaceAll(/\{\w+\}/g, '5f0000000000000000000000'),
      ]),
    );
}
