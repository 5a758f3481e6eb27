import type { CompiledOptions } from '../resource-api.compiled-options.js';

/** What probes have to know of an API beside its model. */
export interface ProbeSettings {
  /** Joins the parts of compound ids in REST. */
  readonly divider: string;
  /** How many rows a probe may ask for. */
  readonly rows: number;
}

/** Some rows, since they need not show the same. */
const ROWS = 5;

export function probeSettings({ rest, limits }: CompiledOptions): ProbeSettings {
  return { divider: rest?.idDivider ?? '_', rows: Math.min(ROWS, rest?.maxPageSize ?? ROWS, limits.maxTake) };
}
