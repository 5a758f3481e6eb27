import type { GeneratorOptions } from '@prisma/generator-helper';

/** Prisma's description of a schema (DMMF), as passed to generators and as returned by `getDMMF` of `@prisma/get-dmmf`. */
export type DmmfDocument = GeneratorOptions['dmmf'];

export type DmmfModel = DmmfDocument['datamodel']['models'][number];

/** A constraint or an index of a model. */
export type DmmfIndex = DmmfDocument['datamodel']['indexes'][number];

export type DmmfField = DmmfModel['fields'][number];
