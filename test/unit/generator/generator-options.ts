import { describeSchema, schemaText } from './describe-schema.js';

/** The settings of the generator's block that tests vary. */
interface Block {
  readonly config?: Readonly<Record<string, string>>;
  readonly sourceFilePath?: string;
}

/** Returns the options that Prisma passes to the generator, for a schema of these blocks. */
export function generatorOptions(blocks: string, output: string | null, { config = {}, sourceFilePath = '' }: Block = {}) {
  const datamodel = schemaText(blocks);
  return {
    datamodel,
    dmmf: describeSchema(datamodel),
    datasources: [
      { name: 'db', provider: 'postgresql' as const, activeProvider: 'postgresql' as const, schemas: [] as [], sourceFilePath: '' },
    ],
    generator: {
      name: 'resourceApi',
      provider: { fromEnvVar: null, value: 'nestjs-resource-api' },
      output: output === null ? null : { fromEnvVar: null, value: output },
      config,
      binaryTargets: [],
      previewFeatures: [],
      sourceFilePath,
    },
  };
}
