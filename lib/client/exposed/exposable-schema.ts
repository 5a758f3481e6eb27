/** A right of a field that the API may expose. */
export type ExposedRight = 'read' | 'filter' | 'sort' | 'create' | 'update';

/** An action on a model that the API may expose. */
export type ExposedAction = 'read' | 'create' | 'update' | 'delete';

/** The part of a generated `resourceSchema` that decides what is exposed. */
export interface ExposableSchema {
  readonly models: Readonly<Record<string, ExposableModel>>;
}

/** The part of a field of a generated `resourceSchema` that decides what is exposed. */
export interface FieldSchema {
  readonly kind: string;
  readonly type: string;
  readonly api?: string;
  readonly version?: true;
  readonly opposite?: string;
  readonly foreignKey?: { readonly fields: readonly string[]; readonly references: readonly string[] };
}

export interface ExposableModel {
  readonly fields: Readonly<Record<string, FieldSchema>>;
  readonly primaryKey?: ExposableKey;
  readonly uniqueKeys: readonly ExposableKey[];
  readonly actions?: readonly ExposedAction[];
  readonly api?: { readonly hidden?: true };
}

export interface ExposableKey {
  readonly name: string;
  readonly fields: readonly string[];
}

/** The names of the exposed models. An option exposes a model that a comment or `'*'` hides, unless `fields` and `softDelete` are its only keys. */
export type VisibleModel<Schema extends ExposableSchema, Resources> = {
  [Model in keyof Schema['models'] & string]: OptionOf<Resources, Model> extends 'hidden'
    ? never
    : IsClosed<Schema['models'][Model], Resources> extends true
      ? Opens<OptionOf<Resources, Model>> extends true
        ? Model
        : never
      : Model;
}[keyof Schema['models'] & string];

type IsClosed<Model extends ExposableModel, Resources> = Resources extends { readonly '*': 'hidden' }
  ? true
  : Model extends { readonly api: { readonly hidden: true } }
    ? true
    : false;

type Opens<Option> = Option extends object
  ? [keyof Option] extends [never]
    ? true
    : [keyof Option] extends ['fields' | 'softDelete']
      ? false
      : true
  : false;

export type ActionsOf<Schema extends ExposableSchema, Resources, Model extends string> =
  OptionOf<Resources, Model> extends { readonly actions: readonly (infer Action)[] }
    ? Action
    : Schema['models'][Model] extends { readonly actions: readonly (infer Action)[] }
      ? Action
      : ExposedAction;

export type OptionOf<Resources, Key extends PropertyKey> = Key extends keyof Resources ? Resources[Key] : undefined;

export type FieldOptions<Resources, Model extends string> = OptionOf<OptionOf<Resources, Model>, 'fields'>;
