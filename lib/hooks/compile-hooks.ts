import { checkAll } from '../errors/check-all.js';
import { ConfigurationError } from '../errors/configuration-error.js';
import { checkName } from '../model/check-option.js';
import { frozenMap } from '../model/freeze.js';
import type { Storage } from '../model/storage/storage.js';
import type { HookMethod, HookAction, HookMoment } from './hook.js';

/** The hooks of one action on one model, in the order in which the providers were found. */
export interface HooksOfWrite {
  readonly hooks: Readonly<Record<HookMoment, readonly HookMethod[]>>;
  /** Whether at least one hook receives the record before the write. */
  readonly wantsBefore: boolean;
  /** Whether at least one hook receives the record after the write. */
  readonly wantsAfter: boolean;
}

/** The compiled hooks, by Prisma's name of the model and by action. */
export type CompiledHooks = ReadonlyMap<string, Readonly<Partial<Record<HookAction, HooksOfWrite>>>>;

/**
 * Compiles the hooks of the models of a schema, hidden models included. Hooks of other models are ignored, because they may belong to another API.
 *
 * @returns null if the schema has no hooks
 * @throws ConfigurationError for an unknown action, and for hooks with a ZenStack client
 */
export function compileHooks(given: readonly HookMethod[], { orm, byModel }: Storage): CompiledHooks | null {
  if (given.length === 0) return null;
  if (orm === 'zenstack') {
    throw new ConfigurationError(
      `${given[0]?.place ?? ''} is a hook, and hooks are for Prisma clients.`,
      'Write it as a plugin of the ZenStack client ($use), and leave @ResourceHooks out.',
    );
  }
  checkAll(
    given.map((hook) => () => {
      checkActions(hook);
    }),
  );
  const compiled = [...byModel.keys()].flatMap((model) => {
    const own = given.filter((hook) => hook.model === '*' || hook.model === model);
    return own.length > 0 ? [[model, Object.freeze(byAction(own))] as const] : [];
  });
  return compiled.length > 0 ? frozenMap(compiled) : null;
}

const ACTIONS: readonly HookAction[] = ['create', 'update', 'delete'];

const DECORATORS: Readonly<Record<HookMoment, string>> = { before: 'BeforeWrite', after: 'AfterWrite', commit: 'AfterCommit' };

function checkActions({ actions, moment, place: method }: HookMethod): void {
  const place = `@${DECORATORS[moment]} of ${method}`;
  for (const action of actions) checkName(action, { place, known: ACTIONS, kind: 'action', all: 'The actions are' });
}

function byAction(own: readonly HookMethod[]): Partial<Record<HookAction, HooksOfWrite>> {
  return Object.fromEntries(
    ACTIONS.flatMap((action) => {
      const matching = own.filter(({ actions }) => actions.length === 0 || actions.includes(action));
      return matching.length > 0 ? [[action, hooksOfWrite(matching, action)] as const] : [];
    }),
  );
}

function hooksOfWrite(matching: readonly HookMethod[], action: HookAction): HooksOfWrite {
  const at = (moment: HookMoment): readonly HookMethod[] => matching.filter((hook) => hook.moment === moment);
  const isObservedAfter = matching.some(({ moment }) => moment !== 'before');
  return Object.freeze({
    hooks: { before: at('before'), after: at('after'), commit: at('commit') },
    wantsBefore: action !== 'create' && (isObservedAfter || matching.some(({ wantsBefore }) => wantsBefore)),
    wantsAfter: action !== 'delete' && isObservedAfter,
  });
}
