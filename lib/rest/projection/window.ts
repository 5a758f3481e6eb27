import type { Relationship } from '../../model/surface/surface.js';
import type { Condition } from '../../query/condition.js';
import type { ManyMember, Selection } from '../../query/selection.js';
import type { Page } from './page.js';
import type { Row, RowPage } from './row.js';

/** Which members of an included to-many relationship are shown, and in which order: of each resource that has it (PI-03). */
export interface Window {
  /** What was asked, for the planner alone. */
  readonly asked: object;
  readonly isFiltered: boolean;
  /** An offset page without a limit where the members are not paged. */
  readonly page: Page;
  /** Whether all that meet the filter are counted. */
  readonly isCounted: boolean;
  /** The parameters of the relationship's own URL that show the same, but for the page. */
  readonly parameters: readonly (readonly [name: string, value: string])[];
}

/** A window as the rows of its relationship are read. */
export interface PlannedWindow extends Omit<Window, 'asked'> {
  /** What is counted. */
  readonly filter: Condition;
  readonly rows: Pick<ManyMember, 'where' | 'order' | 'page' | 'isWindow' | 'selection'>;
  /** What it shows of the rows that were read of one resource. */
  readonly read: (rows: readonly Row[]) => Pick<RowPage, 'rows' | 'cursors'>;
}

/**
 * Plans a window.
 *
 * @param selection what is read of each of the resources that the relationship leads to
 */
export type PlanWindow = (window: Window, relationship: Relationship, selection: Selection) => PlannedWindow;
