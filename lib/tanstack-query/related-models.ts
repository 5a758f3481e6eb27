/** How models hang together: the generated `browserSchema`, or the whole `resourceSchema`. */
export interface RelationSchema {
  readonly models: Readonly<Record<string, { readonly fields: Readonly<Record<string, RelationField>> }>>;
}

interface RelationField {
  readonly kind: string;
  readonly type: string;
  readonly optional?: true;
  readonly foreignKey?: { readonly fields?: readonly string[]; readonly onDelete?: string };
}

/** A call as its query key tells it. */
export interface KnownCall {
  /** As in `api.post`. */
  readonly model: string;
  readonly args: unknown;
  readonly relations: readonly string[];
}

/** The models that a call reads or writes: its own, and those that its argument reaches through relations. By Prisma's names. */
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

/** Prisma's name of the model behind `api.post`; its own name is accepted too. */
export function modelName(name: string, { models }: RelationSchema): string | undefined {
  if (Object.hasOwn(models, name)) return name;
  return Object.keys(models).find((model) => model.charAt(0).toLowerCase() + model.slice(1) === name);
}

/** Those beside them whose records the database deletes or changes when it deletes records of these. */
export function withCascades(models: ReadonlySet<string>, schema: RelationSchema): ReadonlySet<string> {
  const reached = new Set(models);
  for (const model of reached) {
    // What is added while it runs is visited as well.
    for (const dependent of dependentsOf(model, schema)) reached.add(dependent);
  }
  return reached;
}

function dependentsOf(model: string, { models }: RelationSchema): readonly string[] {
  return Object.entries(models).flatMap(([name, { fields }]) =>
    Object.values(fields).some((field) => isChangedWith(field, model)) ? [name] : [],
  );
}

/** Prisma's default is `SetNull` for an optional relation, and `Restrict` for a required one. */
function isChangedWith({ kind, type, optional, foreignKey }: RelationField, model: string): boolean {
  if (kind !== 'relation' || type !== model || !foreignKey) return false;
  const action = foreignKey.onDelete ?? (optional ? 'SetNull' : 'Restrict');
  return action !== 'Restrict' && action !== 'NoAction';
}

/** Every key of the name of a relation leads to its model; every other key (`where`, `some`, `create`, …) keeps the current model. */
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
