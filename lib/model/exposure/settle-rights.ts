import { RIGHT_NAMES } from '../surface/rights.js';
import type { ClosedReason, ClosedRights, Rights } from '../surface/surface.js';
import type { ExposedModel } from './exposed-model.js';
import { OPEN, statedRights } from './field-rights.js';
import { ownOption } from './own-option.js';
import type { RightsRule } from './rights-rules.js';
import type { RightsSheet } from './rights-sheet.js';

/** The rights of every field, with the reasons of the denied ones. */
export interface RightsWithReasons {
  readonly sheet: RightsSheet;
  /** The reasons, by model name and field name. */
  readonly closed: ReadonlyMap<string, ReadonlyMap<string, ClosedRights>>;
}

/** Returns all rights of all fields as allowed, as the start for the rules. */
export function openRights(models: ReadonlyMap<string, ExposedModel>): RightsWithReasons {
  const fieldsOf = ({ schema }: ExposedModel): readonly string[] => Object.keys(schema.fields);
  return {
    sheet: new Map([...models].map(([name, model]) => [name, new Map(fieldsOf(model).map((field) => [field, OPEN]))])),
    closed: new Map([...models].map(([name, model]) => [name, new Map(fieldsOf(model).map((field) => [field, {}]))])),
  };
}

/** Applies rules in their order. If several rules deny a right, the first is the reason. */
export function applyRightsRules(
  models: ReadonlyMap<string, ExposedModel>,
  rules: readonly RightsRule[],
  start: RightsWithReasons,
): RightsWithReasons {
  return rules.reduce((settled, rule) => applyRule(rule, models, settled), start);
}

function applyRule(rule: RightsRule, models: ReadonlyMap<string, ExposedModel>, { sheet, closed }: RightsWithReasons): RightsWithReasons {
  const nextSheet = new Map<string, ReadonlyMap<string, Rights>>();
  const nextClosed = new Map<string, ReadonlyMap<string, ClosedRights>>();
  for (const [name, model] of models) {
    const rights = new Map(sheet.get(name));
    const reasons = new Map(closed.get(name));
    for (const [field, ruled] of rule.rule({ model, models, sheet })) {
      const before = rights.get(field);
      if (!before) continue;
      const after = rule.yieldsToGrants ? keepGranted(ruled, before, statedRights(ownOption(model.options.fields, field))) : ruled;
      rights.set(field, after);
      reasons.set(field, reasonsAfter(reasons.get(field) ?? {}, after, rule.reason));
    }
    nextSheet.set(name, rights);
    nextClosed.set(name, reasons);
  }
  return { sheet: nextSheet, closed: nextClosed };
}

/** Returns the rights after a rule, except that rights which the option `resources` allows explicitly are unchanged. */
function keepGranted(ruled: Rights, before: Rights, stated: Partial<Rights>): Rights {
  const sourceOf = (right: keyof Rights): Rights => (stated[right] === undefined || stated[right] === false ? ruled : before);
  return {
    read: sourceOf('read').read,
    filter: sourceOf('filter').filter,
    sort: sourceOf('sort').sort,
    create: sourceOf('create').create,
    update: sourceOf('update').update,
  };
}

function reasonsAfter(before: ClosedRights, after: Rights, reason: ClosedReason): ClosedRights {
  const closed = RIGHT_NAMES.filter((right) => after[right] === false);
  return Object.fromEntries(closed.map((right) => [right, before[right] ?? reason]));
}
