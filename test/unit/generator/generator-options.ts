import { describeSchema, schemaText } from './describe-schema.js';

/** What of the generator's block is not the same in all tests. */
interface Block {
  readonly config?: Readonly<Record<string, string>>;
  readonly sourceFilePath?: string;
}

/** What Prisma hands over to the generator, for a schema of these blocks. */
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
