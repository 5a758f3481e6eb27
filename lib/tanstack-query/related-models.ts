/** The relations between models: the generated `browserSchema`, or the whole `resourceSchema`. */
export interface RelationSchema {
  readonly models: Readonly<Record<string, { readonly fields: Readonly<Record<string, RelationField>> }>>;
}

interface RelationField {
  readonly kind: string;
  readonly type: string;
  readonly optional?: true;
  readonly foreignKey?: { readonly fields?: readonly string[]; readonly onDelete?: string };
}

/** A call that is restored from its query key. */
export interface KnownCall {
  /** The name of the model as in `api.post`. */
  readonly model: string;
  readonly args: unknown;
  readonly relations: readonly string[];
}

/** Returns the models that a call reads or writes, by Prisma's names: its own, and those that its argument reaches through relations. */
export function modelsOf({ model, args, relations }: KnownCall, schema: RelationSchema): ReadonlySet<string> {
  const own = modelName(model, schema);
  const found = new Set<string>();
  if (own === undefined) return found;
  found.add(own);
  collect(args, own, schema, found);
  relations.reduce<string | undefined>((name, relation) => {
    const target = findRelatedModel(name, relation, schema);
    if (target !== undefined) found.add(target);
    return target;
  }, own);
  return found;
}

/** Returns Prisma's name of the model `api.post`. Prisma's name itself is accepted as well. */
export function modelName(name: string, { models }: RelationSchema): string | undefined {
  if (Object.hasOwn(models, name)) return name;
  return Object.keys(models).find((model) => model.charAt(0).toLowerCase() + model.slice(1) === name);
}

/** Adds the models whose records the database deletes or changes when records of the given models are deleted. */
export function withCascades(models: ReadonlySet<string>, schema: RelationSchema): ReadonlySet<string> {
  const reached = new Set(models);
  for (const model of reached) {
    // The loop also visits the models that are added to the set while it runs.
    for (const dependent of dependentsOf(model, schema)) reached.add(dependent);
  }
  return reached;
}

function dependentsOf(model: string, { models }: RelationSchema): readonly string[] {
  return Object.entries(models).flatMap(([name, { fields }]) =>
    Object.values(fields).some((field) => isChangedWith(field, model)) ? [name] : [],
  );
}

/**
 * Whether the database changes the record when its related record is deleted. Prisma's default is `SetNull` for an optional relation, and `Restrict`
 * for a required one.
 */
function isChangedWith({ kind, type, optional, foreignKey }: RelationField, model: string): boolean {
  if (kind !== 'relation' || type !== model || !foreignKey) return false;
  const action = foreignKey.onDelete ?? (optional ? 'SetNull' : 'Restrict');
  return action !== 'Restrict' && action !== 'NoAction';
}

/**
 * Collects the models in an argument. A key that names a relation leads to its model. Any other key (`where`, `some`, `create`, …) stays at the
 * current model.
 */
function collect(value: unknown, model: string, schema: RelationSchema, found: Set<string>): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    const target = Array.isArray(value) ? undefined : findRelatedModel(model, key, schema);
    if (target !== undefined) found.add(target);
    collect(member, target ?? model, schema, found);
  }
}

function findRelatedModel(model: string | undefined, name: string, { models }: RelationSchema): string | undefined {
  const fields = model === undefined ? undefined : models[model]?.fields;
  const field = fields && Object.hasOwn(fields, name) ? fields[name] : undefined;
  return field?.kind === 'relation' ? field.type : undefined;
}
