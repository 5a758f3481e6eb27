import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { DataClient } from '../executor/data-client.js';
import type { CallPlan } from '../executor/plan.js';
import { prismaExecutor } from '../executor/prisma-executor.js';
import { runPlan } from '../executor/run-plan.js';
import { undoneByFailures } from '../executor/client/undone-by-failures.js';
import { AccessDeniedError } from '../errors/access-denied-error.js';
import { ApiError, type Problem } from '../errors/api-error.js';
import { ConfigurationError } from '../errors/configuration-error.js';
import { dataLayerError } from '../errors/data-layer-error.js';
import { ApplicationCodeError } from '../errors/application-code-error.js';
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
import { findRow } from '../query/read.js';
import { ACTION_CHECKS, BIND_CALLER, OWN_ACTIONS, RESOURCE_MODEL, ROW_RULES } from '../options/tokens.js';
import { countingClient } from '../rules/counting-client.js';
import type { RuleName } from '../rules/compile-rules.js';
import type { WriteObserver } from '../rules/write-observer.js';
import type { CallerContext, PlanScope, RowRules } from '../rules/row-rules.js';
import { faultsOf } from '../validation/check-records.js';
import { compileBodyCheck } from '../validation/compile-checks.js';
import type { Fault, RecordCheck, RecordShape } from '../validation/record-check.js';
import { isPlainObject } from '../wire/is-plain-object.js';
import { type ActionRequirement, unmetRequirement } from './action-requirement.js';
import type { ActionMethod, ApplicationActions } from './action.js';

/** The validators of request bodies, by action. */
export type ActionChecks = ReadonlyMap<ActionMethod, RecordCheck>;

/** An open transaction of a caller, with the caller's rules. */
export interface CallersTransaction {
  readonly client: DataClient;
  readonly rules: RowRules;
  readonly requestContext: CallerContext;
  /** The observer of the writes in this transaction. */
  readonly observer?: WriteObserver;
}

/** Runs work with a client that enforces the caller's rules. */
export type BindCaller = (transaction: CallersTransaction, work: (client: DataClient) => Promise<unknown>) => Promise<unknown>;

/** Compiles the body validators of the actions. @throws ConfigurationError for an invalid validator */
export async function compileActionChecks(actions: ApplicationActions): Promise<ActionChecks> {
  const checks = new Map<ActionMethod, RecordCheck>();
  for (const action of [...actions.values()].flatMap((named) => [...named.values()])) {
    const { body, place, name } = action;
    if (body) checks.set(action, await compileBodyCheck({ validator: body, place: `The body of ${place}`, group: name }));
  }
  return checks;
}

/** A request for an action. */
export interface ActionRequest {
  readonly action: ActionMethod;
  readonly request: ApiRequest;
  /** The key of the record; absent for an action on the collection. */
  readonly where?: UniqueCondition;
  /** The preconditions on the record; absent without preconditions, and for an action on the collection. */
  readonly requirement?: ActionRequirement | undefined;
  /** The validated body. */
  readonly body: unknown;
}

/** The functions with which a style (REST or RPC) renders the result of an action. */
export interface ActionRenderer {
  /** Plans the read of the record that is rendered. */
  readonly plan: (where: UniqueCondition) => CallPlan;
  /** Renders the record. It is null if the action has deleted it, or if the caller may not read a record that the method read with another client. */
  readonly row: (row: unknown) => ApiReply;
  /** Renders a result that is not a record of the model. */
  readonly data: (value: unknown) => ApiReply;
}

/** Runs the actions of the application. One transaction contains the look-up of the record, the call of the method and the read of the result. */
@Injectable()
export class ActionRunner implements OnApplicationBootstrap {
  // eslint-disable-next-line max-params -- Nest injects one by one.
  constructor(
    @Inject(OWN_ACTIONS) private readonly actions: ApplicationActions,
    @Inject(ACTION_CHECKS) private readonly checks: ActionChecks,
    @Inject(RESOURCE_MODEL) private readonly model: ResourceModel,
    @Inject(ROW_RULES) private readonly rules: RowRules | null,
    @Inject(BIND_CALLER) private readonly bind: BindCaller,
    private readonly runner: PlanRunner,
  ) {}

  /** @throws ConfigurationError for an action of a request-scoped provider */
  onApplicationBootstrap(): void {
    for (const named of this.actions.values()) for (const action of named.values()) requireOwner(action);
  }

  /** Returns the action of a model by its exact name. */
  find(model: string | undefined, name: string): ActionMethod | undefined {
    return model === undefined ? undefined : this.actions.get(model)?.get(name);
  }

  /** Returns the shape of the body of an action; undefined for an action without a body. */
  shapeOf(model: string, name: string): RecordShape | undefined {
    const action = this.find(model, name);
    return action && this.checks.get(action)?.shape();
  }

  /**
   * Validates the body of a request with the validator of its action.
   *
   * @param given the body; undefined if the request has none
   * @returns the values that the validator returns; undefined for an action without a validator
   * @throws ApiError `validation-error`, one problem for each fault
   */
  async check(action: ActionMethod, given: unknown, toProblem: (fault: Fault) => Problem): Promise<unknown> {
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

  /**
   * Runs an action and renders its result.
   *
   * @throws the error of the method; ApiError `not-found`, and `forbidden` where a rule refuses the right that the action needs
   */
  run({ body, ...given }: ActionRequest, answers: ActionRenderer): Promise<ApiReply> {
    const { action, request, where, requirement } = given;
    const owner = requireOwner(action);
    const { storage } = this.model;
    if (action.restores && where) return this.restore({ request, where, requirement }, answers);
    return this.runner.transact(request, async (open, observer) => {
      const record = where && (await this.load({ action, request, where, requirement }, open));
      const call = async (client: DataClient): Promise<unknown> =>
        await callMethod(owner, action.name, { record, body, client, request: request.request });
      const bound = this.rules
        ? this.bind({ client: open, rules: this.rules, requestContext: request, ...(observer && { observer }) }, call)
        : undoneByFailures(open, (client) => call(storage.isVersioned ? countingClient(client, storage) : client));
      const result = await bound.catch((error: unknown) => {
        throw isQueryRefused(error) ? new ApplicationCodeError(action.place, 'asks what the data layer refuses.', { cause: error }) : error;
      });
      const written = this.recordIn(result, storedModel(storage, action.model));
      if (!written) return answers.data(result);
      return answers.row(await this.read(answers.plan(written), open, request));
    });
  }

  private restore({ request, where, requirement }: Omit<RecordsAction, 'action'>, answers: ActionRenderer): Promise<ApiReply> {
    return this.runner.transact(request, async (open, observer) => {
      const [{ model }] = where.keys;
      const executor = prismaExecutor(open);
      const unmet = (isFound: boolean): Promise<ApiError | undefined> =>
        isFound
          ? unmetRequirement(executor, where, requirement)
          : Promise.resolve(requirement?.isInWhere ? requirement.refuse() : undefined);
      await this.rules?.restore(executor, { model, where }, request, { unmet, ...(observer && { observer }) });
      // The record is read by its key alone. Because the restore has changed it, the other conditions of `where` need not hold any more.
      const row = await this.read(answers.plan({ keys: where.keys, more: ALWAYS }), open, request);
      if ((row ?? null) === null) throw new AccessDeniedError('Once restored, this record may not be read, so that nothing is written.');
      return answers.row(row);
    });
  }

  /** Locks the record, then loads all of its fields. The record cannot change until the action has ended. */
  private async load({ action, request, where, requirement }: RecordsAction, open: DataClient): Promise<unknown> {
    const { storage } = this.model;
    const model = storedModel(storage, action.model);
    const rule = RULES[action.right];
    const executor = prismaExecutor(open);
    const fields = [...model.fields.values()].filter(({ ignored }) => !ignored).map((field) => field.name);
    const query = { kind: 'find-unique', model, where, selection: selectFields(model, fields), isRequired: false } as const;
    const scope = rule && ({ rows: 'present' } as const);
    if (rule || requirement) await this.lockReadable({ request, where, requirement }, open, scope);
    const record = await this.read({ kind: 'call', call: { query } }, open, request, scope);
    if ((record ?? null) === null) throw missingIn(requirement);
    if (rule) await this.rules?.requireReached(executor, query, rule, request);
    const unmet = await unmetRequirement(executor, where, requirement);
    if (unmet) throw unmet;
    return record;
  }

  /**
   * Locks the record, after checking that the caller may read it. Because of that check, a caller cannot block writes to a record that is hidden from
   * them. Without rules, every caller may read every record.
   *
   * @throws ApiError `not-found`
   */
  private async lockReadable(
    { request, where, requirement }: Omit<RecordsAction, 'action'>,
    open: DataClient,
    scope?: PlanScope,
  ): Promise<void> {
    const lookUp = { kind: 'call', call: { query: findRow(where) } } as const;
    if ((this.rules || requirement?.isInWhere) && (await this.read(lookUp, open, request, scope)) === null) throw noRecord();
    await prismaExecutor(open).lock?.(where, this.model.storage.provider);
  }

  private async read(plan: CallPlan, open: DataClient, request: ApiRequest, scope: PlanScope = {}): Promise<unknown> {
    const enforcement = await this.rules?.of({ plan, isWrite: false }, request, scope);
    const executor = prismaExecutor(open);
    return runPlan(enforcement ? enforcement.wrap(executor) : executor, plan, { isWrite: false });
  }

  /** Returns the key of a result that is a record of the model: it has the key, and no members that are not fields or relations of the model. */
  private recordIn(result: unknown, model: StoredModel): UniqueCondition | undefined {
    if (!isPlainObject(result) || !Object.keys(result).every((name) => model.fields.has(name) || model.relations.has(name)))
      return undefined;
    const key = rowKey(model);
    if (!key.fields.every((name) => (result[name] ?? null) !== null)) return undefined;
    return uniqueCondition(model, { name: key.name, fields: key.fields.map((name) => ({ name })) }, result);
  }
}

/** A request for an action on a record. */
type RecordsAction = Required<Pick<ActionRequest, 'action' | 'request' | 'where'>> & Pick<ActionRequest, 'requirement'>;

/** Returns the error for a record that exists, but that `where` does not find. */
function missingIn(requirement: ActionRequirement | undefined): ApiError {
  return requirement?.isInWhere ? requirement.refuse() : noRecord();
}

const noRecord = (): ApiError => new ApiError('not-found', 'There is no such record.');

/** Whether the data layer rejected a query as invalid. Because the method has made that query, raw SQL included, it is no error of the client. */
const isQueryRefused = (error: unknown): boolean => dataLayerError(error)?.problems[0].code === 'query-error';

/** The rule that an action enforces on its record, by right, beside the read rule, which every action enforces. */
const RULES: Readonly<Partial<Record<Action, RuleName>>> = { update: 'using', delete: 'delete' };

function requireOwner({ owner, place }: ActionMethod): object {
  const found = owner();
  if (typeof found === 'object' && found !== null) return found;
  throw new ConfigurationError(
    `${place} is an action of a provider that is made for each request.`,
    'Leave its scope, and those of what it injects, as they are by default.',
  );
}
