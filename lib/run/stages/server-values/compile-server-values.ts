import { serverValueOf } from '../../../model/exposure/field-rights.js';
import { ownOption } from '../../../model/exposure/own-option.js';
import type { ResourcesOption, ServerValueFunction } from '../../../model/exposure/resources-option.js';
import { frozenMap } from '../../../model/freeze.js';
import type { Storage, StoredField, StoredModel } from '../../../model/storage/storage.js';
import type { WrittenRecord } from '../../../query/write.js';

/** A field that the server sets in one of the two writes, and how the log calls it. */
export interface ServerValue {
  readonly field: StoredField;
  readonly action: WrittenRecord['action'];
  /** Of the request, which is of the type that the host's function names. */
  readonly make: MakeValue;
  /** E.g. `resources.Task.fields.createdById.value.create`. */
  readonly place: string;
}

/** A {@link ServerValueFunction}, as it is called. */
type MakeValue = { bivarianceHack(request: unknown): ReturnType<ServerValueFunction> }['bivarianceHack'];

/** The fields that the server sets, by Prisma's name of their model. */
export type ServerValues = ReadonlyMap<string, readonly ServerValue[]>;

/** The values of the option `resources`, once checked; null where there are none. */
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
