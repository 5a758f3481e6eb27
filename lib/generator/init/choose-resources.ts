import type { Action } from '../../model/surface/surface.js';
import type { FieldOutline, ModelOutline } from './read-models.js';

/** The models that the written module exposes and hides. */
export interface ChosenResources {
  readonly open: readonly OpenModel[];
  /** Hidden models, each with the reason. */
  readonly closed: readonly { readonly model: string; readonly reason: string }[];
}

/** An exposed model. Fields whose names suggest secrets are hidden. */
export interface OpenModel {
  readonly model: string;
  readonly actions: readonly Action[];
  readonly secrets: readonly string[];
  /** The hidden fields that a new record requires. If there are any, the model does not expose `create`. */
  readonly needed: readonly string[];
}

const SECRET = /password|hash(?!tag)|token|secret|salt/i;

/**
 * Exposes each model by name, without the fields whose names suggest secrets.
 *
 * A model remains hidden if a comment hides it, or if it stores responses for the option `idempotency`. It also remains
 * hidden if its id would be hidden, because it has no other address.
 */
export function chooseResources(models: readonly ModelOutline[]): ChosenResources {
  const closed = new Map(models.filter(({ isHidden }) => isHidden).map(({ name }) => [name, 'its comment says @api.hidden']));
  for (const { name } of models.filter(holdsResponses))
    closed.set(name, 'it holds the stored responses of requests with an Idempotency-Key');
  closeModelsWithoutId(models, closed);
  return {
    open: models.filter(({ name }) => !closed.has(name)).map((model) => openModel(model, closed)),
    closed: [...closed].map(([model, reason]) => ({ model, reason })),
  };
}

/** Whether a model has the fields of the idempotency model in docs/idempotency.md, under any name. */
function holdsResponses({ fields, key }: ModelOutline): boolean {
  const names = new Set(fields.map(({ name }) => name));
  return key.toSorted().join() === 'key,scope' && ['fingerprint', 'status', 'body', 'expiresAt'].every((name) => names.has(name));
}

function openModel(model: ModelOutline, closed: ReadonlyMap<string, string>): OpenModel {
  const secrets = secretsOf(model);
  const given = model.fields
    .filter(({ name, type }) => !secrets.includes(name) && !closed.has(type))
    .flatMap(({ foreignKey }) => foreignKey);
  const needed = model.actions.includes('create') ? secrets.filter((name) => isNeeded(name, model) && !given.includes(name)) : [];
  const actions = needed.length > 0 ? model.actions.filter((action) => action !== 'create') : model.actions;
  return { model: model.name, actions, secrets, needed };
}

/** Whether a create requires a hidden field. A relation is not required, because its foreign key can set it. */
function isNeeded(secret: string, { fields }: ModelOutline): boolean {
  return fields.some(({ name, foreignKey, isRequired }) => name === secret && isRequired && foreignKey.length === 0);
}

/**
 * Hides models whose id contains a hidden field, until none is left. Hiding a model also
 * hides the foreign keys to it, which may be parts of other ids.
 */
function closeModelsWithoutId(models: readonly ModelOutline[], closed: Map<string, string>): void {
  const found = models.find((model) => !closed.has(model.name) && closedKeyOf(model, closed) !== undefined);
  if (!found) return;
  closed.set(found.name, `its id has ${closedKeyOf(found, closed) ?? ''}, which is hidden`);
  closeModelsWithoutId(models, closed);
}

function closedKeyOf(model: ModelOutline, closed: ReadonlyMap<string, string>): string | undefined {
  const secrets = new Set(secretsOf(model));
  const isClosed = ({ name, type }: FieldOutline): boolean => secrets.has(name) || closed.has(type);
  const keys = model.fields.filter(isClosed).flatMap(({ name, foreignKey }) => [name, ...foreignKey]);
  return model.key.find((field) => keys.includes(field));
}

/** Returns the fields whose names suggest secrets, unless a comment defines their exposure. */
function secretsOf({ fields }: ModelOutline): readonly string[] {
  return fields.filter(({ name, isDecided }) => !isDecided && SECRET.test(name)).map(({ name }) => name);
}
