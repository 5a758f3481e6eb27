import { serverValueOf } from '../../../model/exposure/field-rights.js';
import { ownOption } from '../../../model/exposure/own-option.js';
import type { ResourcesOption, ServerValueFunction } from '../../../model/exposure/resources-option.js';
import { frozenMap } from '../../../model/freeze.js';
import type { Storage, StoredField, StoredModel } from '../../../model/storage/storage.js';
import type { WrittenRecord } from '../../../query/write.js';

/** A field that the server sets when a record is created, or when it is updated. */
export interface ServerValue {
  readonly field: StoredField;
  readonly action: WrittenRecord['action'];
  /** Computes the value from the request. The application's function declares the type of the request. */
  readonly make: MakeValue;
  /** Place in the options, for the log, e.g. `resources.Task.fields.createdById.value.create`. */
  readonly place: string;
}

/** A {@link ServerValueFunction} that can be called with any type of request. */
type MakeValue = { bivarianceHack(request: unknown): ReturnType<ServerValueFunction> }['bivarianceHack'];

/** The fields that the server sets, by the Prisma name of their model. */
export type ServerValues = ReadonlyMap<string, readonly ServerValue[]>;

/** Compiles the server values of the checked option `resources`. Returns null if there are none. */
export function compileServerValues(resources: ResourcesOption = {}, { byModel }: Storage): ServerValues | null {
  const compiled = [...byModel.values()].flatMap((model) => {
    const values = valuesOf(resources, model);
    return values.length > 0 ? [[model.model, Object.freeze(values)] as const] : [];
  });
  return compiled.length > 0 ? frozenMap(compiled) : null;
}

function valuesOf(resources: ResourcesOption, { model, fields }: StoredModel): readonly ServerValue[] {
  const options = ownOption(resources, model);
  if (typeof options !== 'object') return [];
  return [...fields.values()].flatMap((field) => {
    const value = serverValueOf(ownOption(options.fields, field.name));
    return (['create', 'update'] as const).flatMap((action) => {
      const make = value?.[action];
      return make ? [{ field, action, make, place: `resources.${model}.fields.${field.name}.value.${action}` }] : [];
    });
  });
}
