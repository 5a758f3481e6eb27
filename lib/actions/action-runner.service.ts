import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { DataClient } from '../executor/data-client.js';
import type { CallPlan } from '../executor/plan.js';
import { prismaExecutor } from '../executor/prisma-executor.js';
import { runPlan } from '../executor/run-plan.js';
import { undoneByFailures } from '../executor/undone-by-failures.js';
import { AccessDeniedError } from '../errors/access-denied-error.js';
import { ApiError, type Problem } from '../errors/api-error.js';
import { ConfigurationError } from '../errors/configuration-error.js';
import { dataLayerError } from '../errors/data-layer-error.js';
import { OwnCodeError } from '../errors/own-code-error.js';
import { PlanRunner } from '../run/plan-runner.service.js';
import type { ResourceModel } from '../model/resource-model.js';
import type { StoredModel } from '../model/storage/storage.js';
import { storedModel } from '../model/storage/stored-model.js';
import type { Action } from '../model/surface/surface.js';
import type { ApiReply, ApiRequest } from '../http/api-request.js';
import { callMethod } from '../platform/provider-classes.js';
import { ALWAYS, type UniqueCondition } from '../query/condition.js';
import { selectFields } from '../query/fields.js';
import { rowKey, uniqueCondition } from '../query/key.js';
import { ACTION_CHECKS, BIND_CALLER, OWN_ACTIONS, RESOURCE_MODEL, ROW_RULES } from '../options/tokens.js';
import { countingClient } from '../rules/counting-client.js';
import type { RuleName } from '../rules/compile-rules.js';
import type { WriteObserver } from '../rules/write-observer.js';
import type { CallerContext, PlanScope, RowRules } from '../rules/row-rules.js';
import { faultsOf } from '../validation/check-records.js';
import { compileBodyCheck } from '../validation/compile-checks.js';
import type { Fault, RecordCheck } from '../validation/record-check.js';
import { isPlainObject } from '../wire/is-plain-object.js';
import { type ActionRequirement, unmetRequirement } from './action-requirement.js';
import type { GivenAction, OwnActions } from './action.js';

/** The validators of bodies, by the action. */
export type ActionChecks = ReadonlyMap<GivenAction, RecordCheck>;

/** An open transaction of a caller. */
export interface CallersTransaction {
  readonly client: DataClient;
  readonly rules: RowRules;
  readonly exchange: CallerContext;
  /** Who is told of what is written in it. */
  readonly told?: WriteObserver;
}

/** Does work on the client of a caller, under the rules. */
export type BindCaller = (transaction: CallersTransaction, work: (client: DataClient) => Promise<unknown>) => Promise<unknown>;

/** @throws ConfigurationError for a validator that could not run */
export async function compileActionChecks(actions: OwnActions): Promise<ActionChecks> {
  const checks = new Map<GivenAction, RecordCheck>();
  for (const action of [...actions.values()].flatMap((named) => [...named.values()])) {
    const { body, place, name } = action;
    if (body) checks.set(action, await compileBodyCheck({ validator: body, place: `The body of ${place}`, group: name }));
  }
  return checks;
}

/** What a request asks an action. */
export interface AskedAction {
  readonly action: GivenAction;
  readonly request: ApiRequest;
  /** The record that it is about; absent for the collection. */
  readonly where?: UniqueCondition;
  /** What it must be like; absent where any is accepted, and for the collection. */
  readonly requirement?: ActionRequirement | undefined;
  /** Once it is checked. */
  readonly body: unknown;
}

/** How a style answers an action. */
export interface ActionAnswers {
  /** Reads what is shown of a record. */
  readonly plan: (where: UniqueCondition) => CallPlan;
  /** Renders the record; null where the action has deleted it, or where the caller may not read what another client has found. */
  readonly row: (row: unknown) => ApiReply;
  /** Renders anything else. */
  readonly data: (value: unknown) => ApiReply;
}

/** Runs the host's own operations: the look-up of the record, the method and what is answered, in one transaction. */
@Injectable()
export class ActionRunner implements OnApplicationBootstrap {
  // eslint-disable-next-line max-params -- Nest injects one by one.
  constructor(
    @Inject(OWN_ACTIONS) private readonly actions: OwnActions,
    @Inject(ACTION_CHECKS) private readonly checks: ActionChecks,
    @Inject(RESOURCE_MODEL) private readonly model: ResourceModel,
    @Inject(ROW_RULES) private readonly rules: RowRules | null,
    @Inject(BIND_CALLER) private readonly bind: BindCaller,
    private readonly runner: PlanRunner,
  ) {}

  /** @throws ConfigurationError for a provider that there is not one of */
  onApplicationBootstrap(): void {
    for (const named of this.actions.values()) for (const action of named.values()) requireOwner(action);
  }

  /** The action of a model, by its exact name. */
  find(model: string | undefined, name: string): GivenAction | undefined {
    return model === undefined ? undefined : this.actions.get(model)?.get(name);
  }

  /**
   * Shows the body of a request to the validator of its action.
   *
   * @param given undefined where there is none
   * @returns what the validator makes of it; undefined for an action without
   * @throws ApiError `validation-error`, one problem for each fault
   */
  async check(action: GivenAction, given: unknown, toProblem: (fault: Fault) => Problem): Promise<unknown> {
    const validator = this.checks.get(action);
    const values = given ?? {};
    const faults = (found: readonly Fault[]): ApiError => {
      const [first, ...others] = faultsOf(found).map(toProblem);
      return ApiError.of([first ?? toProblem({ path: [], message: 'This body is not accepted.' }), ...others]);
    };
    if (!isPlainObject(values)) throw faults([{ path: [], message: 'The body must be an object' }]);
    const known = validator?.shape().fields;
    const unknown = Object.keys(values).filter((name) => (validator ? known?.size !== 0 && known?.has(name) === false : true));
    if (unknown.length > 0) throw faults(unknown.map((name) => ({ path: [name], message: 'This member is not accepted here' })));
    if (!validator) return undefined;
    const verdict = await validator.check(values);
    if ('faults' in verdict) throw faults(verdict.faults);
    return verdict.values;
  }

  /** @throws what the method throws; ApiError `not-found`, and `forbidden` where a rule refuses the right that the action needs */
  run({ body, ...asked }: AskedAction, answers: ActionAnswers): Promise<ApiReply> {
    const { action, request, where, requirement } = asked;
    const owner = requireOwner(action);
    const { storage } = this.model;
    if (action.restores && where) return this.restore({ request, where, requirement }, answers);
    return this.runner.transact(request, async (open, told) => {
      const record = where && (await this.load({ action, request, where, requirement }, open));
      const call = async (client: DataClient): Promise<unknown> =>
        await callMethod(owner, action.name, { record, body, client, request: request.request });
      const bound = this.rules
        ? this.bind({ client: open, rules: this.rules, exchange: request, ...(told && { told }) }, call)
        : undoneByFailures(open, (client) => call(storage.isVersioned ? countingClient(client, storage) : client));
      const result = await bound.catch((error: unknown) => {
        throw isQueryRefused(error) ? new OwnCodeError(action.place, 'asks what the data layer refuses.', { cause: error }) : error;
      });
      const written = this.recordIn(result, storedModel(storage, action.model));
      if (!written) return answers.data(result);
      return answers.row(await this.read(answers.plan(written), open, request));
    });
  }

  private restore({ request, where, requirement }: Omit<RecordsAction, 'action'>, answers: ActionAnswers): Promise<ApiReply> {
    return this.runner.transact(request, async (open, told) => {
      const [{ model }] = where.keys;
      const host = prismaExecutor(open);
      const unmet = (isFound: boolean): Promise<ApiError | undefined> =>
        isFound ? unmetRequirement(host, where, requirement) : Promise.resolve(requirement?.isInWhere ? requirement.refuse() : undefined);
      await this.rules?.restore(host, { model, where }, request, { unmet, ...(told && { told }) });
      // What else the request asks of the record is true of it as it was.
      const row = await this.read(answers.plan({ keys: where.keys, more: ALWAYS }), open, request);
      if ((row ?? null) === null) throw new AccessDeniedError('Once restored, this record may not be read, so that nothing is written.');
      return answers.row(row);
    });
  }

  /** Loads the whole record, once it is locked: it stays as it is until the action has ended. */
  private async load({ action, request, where, requirement }: RecordsAction, open: DataClient): Promise<unknown> {
    const { storage } = this.model;
    const model = storedModel(storage, action.model);
    const rule = RULES[action.right];
    const host = prismaExecutor(open);
    const fields = [...model.fields.values()].filter(({ ignored }) => !ignored).map((field) => field.name);
    const query = { kind: 'find-unique', model, where, selection: selectFields(model, fields), isRequired: false } as const;
    const scope = rule && ({ rows: 'present' } as const);
    if (rule || requirement) await this.lockReadable({ request, where, requirement }, open, scope);
    const record = await this.read({ kind: 'call', call: { query } }, open, request, scope);
    if ((record ?? null) === null) throw missingIn(requirement);
    if (rule) await this.rules?.requireReached(host, query, rule, request);
    const unmet = await unmetRequirement(host, where, requirement);
    if (unmet) throw unmet;
    return record;
  }

  /**
   * Locks a record that the caller may read: nobody else keeps others from writing it. Without rules everybody may.
   *
   * @throws ApiError `not-found`
   */
  private async lockReadable(
    { request, where, requirement }: Omit<RecordsAction, 'action'>,
    open: DataClient,
    scope?: PlanScope,
  ): Promise<void> {
    const { keys } = where;
    const [{ model }] = keys;
    if (this.rules || requirement?.isInWhere) {
      const selection = selectFields(model, rowKey(model).fields);
      const query = { kind: 'find-unique', model, where: { keys, more: ALWAYS }, selection, isRequired: false } as const;
      if ((await this.read({ kind: 'call', call: { query } }, open, request, scope)) === null) throw noRecord();
    }
    await prismaExecutor(open).lock?.(where, this.model.storage.provider);
  }

  private async read(plan: CallPlan, open: DataClient, request: ApiRequest, scope: PlanScope = {}): Promise<unknown> {
    const ruled = await this.rules?.of(plan, request, scope);
    const host = prismaExecutor(open);
    return runPlan(ruled ? ruled.asCaller(host) : host, plan);
  }

  /** A record of the model is told by its key, and by having nothing but fields of it. */
  private recordIn(result: unknown, model: StoredModel): UniqueCondition | undefined {
    if (!isPlainObject(result) || !Object.keys(result).every((name) => model.fields.has(name) || model.relations.has(name)))
      return undefined;
    const key = rowKey(model);
    if (!key.fields.every((name) => (result[name] ?? null) !== null)) return undefined;
    return uniqueCondition(model, { name: key.name, fields: key.fields.map((name) => ({ name })) }, result);
  }
}

/** An action on a record. */
type RecordsAction = Required<Pick<AskedAction, 'action' | 'request' | 'where'>> & Pick<AskedAction, 'requirement'>;

/** The refusal of a record that `where` does not find, and whose key does. */
function missingIn(requirement: ActionRequirement | undefined): ApiError {
  return requirement?.isInWhere ? requirement.refuse() : noRecord();
}

const noRecord = (): ApiError => new ApiError('not-found', 'There is no such record.');

/** A query that makes no sense, SQL among them, is the method's, and none that a client has asked. */
const isQueryRefused = (error: unknown): boolean => dataLayerError(error)?.problems[0].code === 'query-error';

/** What is asked of the record itself; to read it is asked of each. */
const RULES: Readonly<Partial<Record<Action, RuleName>>> = { update: 'using', delete: 'delete' };

function requireOwner({ owner, place }: GivenAction): object {
  const found = owner();
  if (typeof found === 'object' && found !== null) return found;
  throw new ConfigurationError(
    `${place} is an action of a provider that is made for each request.`,
    'Leave its scope, and those of what it injects, as they are by default.',
  );
}
