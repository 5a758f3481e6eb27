import type { MountPoints } from '../mount-points.service.js';

/** The routes of an application: of Express in its router, of Nest's `NodeAdapter` in the instance itself. */
export interface RoutedLike {
  /** In Express 4 this property throws, and there is no such router. */
  readonly router?: RouterLike;
  readonly stack?: readonly LayerLike[];
}

interface RouterLike {
  readonly stack?: readonly LayerLike[];
}

/** A route of Express, or the table of all routes of `NodeAdapter`. Others are middleware. */
interface LayerLike {
  readonly route?: { readonly path: unknown };
  match?(path: string): boolean;
  readonly table?: { lookup(method: string, path: string): unknown };
}

/**
 * Returns a warning for each mount that is unreachable, because a route of the application matches all of its requests. Routes of the
 * application are matched first. Call it before the routes of this module are registered.
 */
export function catchAllWarnings(app: RoutedLike, { all }: Pick<MountPoints, 'all'>): readonly string[] {
  const { router: { stack = app.stack ?? [] } = {} } = app;
  return all.flatMap(({ paths }) =>
    paths.flatMap((path) => {
      const layer = stack.find((one) => PROBES.every((probe) => isRouted(one, path + probe)));
      if (layer === undefined) return [];
      const route = layer.route === undefined ? 'A route' : `The route '${String(layer.route.path)}'`;
      return `${route} of the application takes all requests below ${path}, because it comes before the API. Exclude ${path} from it.`;
    }),
  );
}

/** Paths for which an application has no specific route. */
const PROBES = ['/nestjs-resource-api-probe', '/nestjs-resource-api-probe/1'];

function isRouted(layer: LayerLike, path: string): boolean {
  return Boolean(layer.route === undefined ? layer.table?.lookup('GET', path) : layer.match?.(path));
}
