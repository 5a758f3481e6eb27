import type { Action } from '../../model/surface/surface.js';
import type { FieldOutline, ModelOutline } from './read-models.js';

/** What the written module opens and closes. */
export interface ChosenResources {
  readonly open: readonly OpenModel[];
  /** Models that stay closed, each with why. */
  readonly closed: readonly { readonly model: string; readonly reason: string }[];
}

/** A model that is open but for the fields whose names say that they hold secrets. */
export interface OpenModel {
  readonly model: string;
  readonly actions: readonly Action[];
  readonly secrets: readonly string[];
  /** Those of them that a new record needs: the model is not open to create. */
  readonly needed: readonly string[];
}

const SECRET = /password|hash(?!tag)|token|secret|salt/i;

/**
 * Opens each model by its name, without the fields whose names say secret. A model stays closed where a comment hides it, where its id would be
 * hidden, since it has no other address, and where it is the model of the option `idempotency`, which holds stored responses.
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

/** Whether a model has the fields that docs/idempotency.md gives to the model of the option `idempotency`, whatever its name is. */
function holdsResponses({ fields, key }: ModelOutline): boolean {
  const names = new Set(fields.map(({ name }) => name));
  return key.join() === 'scope,key' && ['fingerprint', 'status', 'body', 'expiresAt'].every((name) => names.has(name));
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

/** A relation is given by its foreign key, too. */
function isNeeded(secret: string, { fields }: ModelOutline): boolean {
  return fields.some(({ name, foreignKey, isRequired }) => name === secret && isRequired && foreignKey.length === 0);
}

/** A model that is closed closes the foreign keys to it, which may be the ids of other models. */
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

/** What a comment says about a field wins. */
function secretsOf({ fields }: ModelOutline): readonly string[] {
  return fields.filter(({ name, isDecided }) => !isDecided && SECRET.test(name)).map(({ name }) => name);
}
