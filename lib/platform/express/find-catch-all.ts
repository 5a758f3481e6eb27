/** The part of Express' router that is read. */
export interface RouterLike {
  readonly stack?: readonly LayerLike[];
}

interface LayerLike {
  readonly route?: { readonly path: unknown };
  match(path: string): boolean;
}

/**
 * Returns the path of a registered route that takes every request below a prefix, or undefined. Express calls the first route that matches, so that
 * no later route is reached there.
 *
 * @param prefix without a slash at the end
 */
export function findCatchAll({ stack = [] }: RouterLike, prefix: string): string | undefined {
  const layer = stack.find((one) => one.route !== undefined && PROBES.every((path) => one.match(prefix + path)));
  return layer?.route && String(layer.route.path);
}

/** Paths that an application has no route for. */
const PROBES = ['/nestjs-resource-api-probe', '/nestjs-resource-api-probe/1'];
