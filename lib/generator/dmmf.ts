import type { GeneratorOptions } from '@prisma/generator-helper';

/** Prisma's description of a schema (DMMF), as it hands it to generators and as `getDMMF` of `@prisma/get-dmmf` returns it. */
export type DmmfDocument = GeneratorOptions['dmmf'];

export type DmmfModel = DmmfDocument['datamodel']['models'][number];

/** A constraint or an index of a model. */
export type DmmfIndex = DmmfDocument['datamodel']['indexes'][number];

export type DmmfField = DmmfModel['fields'][number];
