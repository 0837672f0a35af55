import type { App } from '#server/http/app-type.ts';

/** A registered address with its methods. */
export interface Route {
  /** Such as `/api/batches/:id`. */
  path: string;
  methods: string[];
}

/** Every route of a server, also those of plugins and files. */
export function routesOf(app: App): Route[] {
  const routes: Route[] = [];
  /** The parts of the path by depth: the router prints a tree. */
  const parts: string[] = [];
  for (const line of app.printRoutes({ commonPrefix: false }).split('\n')) {
    const node = /^(?<indent>[│ ]*)[├└]── (?<part>.*?)(?: \((?<methods>[A-Z, ]+)\))?$/u.exec(line)?.groups;
    if (!node) continue;
    parts.splice(node.indent!.length / 4, parts.length, node.part!);
    if (node.methods !== undefined) routes.push({ path: parts.join(''), methods: node.methods.split(', ') });
  }
  return routes;
}
