import type { DmmfDocument } from '../../../../lib/generator/dmmf.js';

type Schema = DmmfDocument['schema'];
export type InputType = NonNullable<Schema['inputObjectTypes']['prisma']>[number];
export type InputField = InputType['fields'][number];
export type TypeRef = InputField['inputTypes'][number];

/** A sample argument, and the path of the key that it is about. */
export interface Sample {
  readonly path: string;
  readonly args: Record<string, unknown>;
}

/** Makes arguments from Prisma's own description of its input types. */
export class Samples {
  private readonly inputs: ReadonlyMap<string, InputType>;
  private readonly enums: ReadonlyMap<string, readonly string[]>;

  constructor({ schema, datamodel }: DmmfDocument) {
    const { inputObjectTypes, enumTypes } = schema;
    this.inputs = new Map([...(inputObjectTypes.prisma ?? []), ...(inputObjectTypes.model ?? [])].map((type) => [type.name, type]));
    // In Prisma's own enums the values are listed as `data` or `values`, by release.
    const prismaEnums = enumTypes.prisma.map((type) => [type.name, valuesOf(type)] as const);
    this.enums = new Map([
      ...prismaEnums,
      ...datamodel.enums.map(({ name, values }) => [name, values.map((value) => value.name)] as const),
    ]);
  }

  input(name: string): InputType {
    const type = this.inputs.get(name);
    if (type === undefined) throw new Error(`Prisma has no input type ${name}.`);
    return type;
  }

  /** One minimal argument for every key of every input type that an argument leads to, in every form that the key takes. */
  *ofArguments(fields: readonly InputField[]): Generator<Sample> {
    const visited = new Set<string>();
    const required = this.required(fields);
    for (const field of fields) {
      for (const sample of this.ofField(field, visited)) yield { path: sample.path, args: { ...required, [field.name]: sample.value } };
    }
  }

  private *ofField(field: InputField, visited: Set<string>): Generator<{ path: string; value: unknown }> {
    for (const ref of field.inputTypes.filter(isSendable)) {
      const list = (value: unknown): unknown => (ref.isList ? [value] : value);
      yield { path: `${field.name}: ${ref.type}${ref.isList ? '[]' : ''}`, value: list(this.value(ref)) };
      if (ref.location !== 'inputObjectTypes' || visited.has(ref.type)) continue;
      visited.add(ref.type);
      for (const inner of this.ofInput(this.input(ref.type), visited))
        yield { path: `${field.name}.${inner.path}`, value: list(inner.value) };
    }
  }

  private *ofInput(type: InputType, visited: Set<string>): Generator<{ path: string; value: unknown }> {
    const others = type.constraints.maxNumFields === 1 ? this.required(type.fields) : this.object(type);
    for (const field of type.fields) {
      for (const { path, value } of this.ofField(field, visited)) yield { path, value: { ...others, [field.name]: value } };
    }
  }

  private object(type: InputType): Record<string, unknown> {
    const required = this.required(type.fields);
    if ((type.constraints.minNumFields ?? 0) === 0 || Object.keys(required).length > 0) return required;
    const [name = type.fields[0]?.name] = type.constraints.fields ?? [];
    const field = type.fields.find((candidate) => candidate.name === name);
    return field ? { [field.name]: this.first(field) } : {};
  }

  private required(fields: readonly InputField[]): Record<string, unknown> {
    return Object.fromEntries(fields.filter(({ isRequired }) => isRequired).map((field) => [field.name, this.first(field)]));
  }

  private first(field: InputField): unknown {
    const ref = field.inputTypes.find(isSendable);
    if (ref === undefined) throw new Error(`Nothing can be sent for ${field.name}.`);
    return ref.isList ? [this.value(ref)] : this.value(ref);
  }

  private value(ref: TypeRef): unknown {
    switch (ref.location) {
      case 'scalar':
        return SCALARS.get(ref.type);
      case 'enumTypes':
        return this.enums.get(ref.type)?.[0];
      case 'inputObjectTypes':
        return this.object(this.input(ref.type));
      case 'fieldRefTypes':
        throw new Error(`There is no sample for ${ref.location}.`);
    }
  }
}

/** Whether a request can have the type. References to other fields are refused, and null replaces Prisma's null objects. */
function isSendable({ location, type }: TypeRef): boolean {
  return location !== 'fieldRefTypes' && !/^(?:Nullable)?JsonNullValue(?:Input|Filter)$/.test(type);
}

const SCALARS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  // A text that is also a UUID.
  ['String', '6f9619ff-8b86-4d01-b42d-00cf4fc964ff'],
  ['Boolean', true],
  ['Int', 1],
  ['BigInt', 1n],
  ['Float', 1.5],
  ['Decimal', '1.5'],
  ['DateTime', new Date(0)],
  // Prisma compares no other Json values than texts and numbers.
  ['Json', 'text'],
  ['Bytes', Uint8Array.of(1)],
  ['Null', null],
]);

function valuesOf(type: object): readonly string[] {
  const listed = Object.entries(type).find(
    ([key, value]) => (key === 'values' || key === 'data') && Array.isArray(value),
  )?.[1] as readonly unknown[];
  return listed.map((value) =>
    typeof value === 'string' ? value : String((value as { key?: string; name?: string }).key ?? (value as { name?: string }).name),
  );
}
