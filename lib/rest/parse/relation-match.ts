import type { Relationship } from '../../model/surface/surface.js';
import type { RelationFilter } from './filter.js';

type Match = RelationFilter['match'];

/** By operator; undefined where there is none. */
type Matches = ReadonlyMap<string | undefined, Match>;

/**
 * Which of the related resources a condition on them speaks of: some of many, unless it says otherwise (specification, 4.1.1, rule 5).
 *
 * @returns undefined for an operator that means nothing there
 */
export function matchOf({ many }: Relationship, operator: string | undefined): Match | undefined {
  return (many ? TO_MANY : TO_ONE).get(operator);
}

/** {@link matchOf} for a condition on their ids, which also takes the operators of equality. */
export function linkageMatchOf({ many }: Relationship, operator: string | undefined): Match | undefined {
  return (many ? TO_MANY_IDS : TO_ONE_ID).get(operator);
}

const TO_ONE: Matches = new Map([[undefined, 'one']]);

const TO_ONE_ID: Matches = new Map<string | undefined, Match>([...TO_ONE, ['in', 'one'], ['ne', 'notOne'], ['notIn', 'notOne']]);

const TO_MANY: Matches = new Map([
  [undefined, 'some'],
  ['some', 'some'],
  ['every', 'every'],
  ['none', 'none'],
]);

const TO_MANY_IDS: Matches = new Map<string | undefined, Match>([...TO_MANY, ['in', 'some'], ['ne', 'none'], ['notIn', 'none']]);
