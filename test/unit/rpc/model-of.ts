import { getDMMF } from '@prisma/get-dmmf';
import type { DmmfDocument } from '../../../lib/generator/dmmf.js';
import { readDatamodel } from '../../../lib/generator/read-datamodel.js';
import { buildResourceModel } from '../../../lib/model/build-resource-model.js';
import type { DatabaseProvider, ResourceSchema } from '../../../lib/model/schema/resource-schema.js';
import type { ResourceModel } from '../../../lib/model/resource-model.js';
import type { ResourcesOption } from '../../../lib/model/exposure/resources-option.js';

export interface ModelOfOptions {
  readonly provider?: DatabaseProvider;
  readonly previewFeatures?: readonly string[];
  readonly resources?: ResourcesOption;
}

/** The installed Prisma's description of some models, and the resource model of them. */
export function modelOf(models: string, options: ModelOfOptions = {}): { readonly dmmf: DmmfDocument; readonly model: ResourceModel } {
  const { provider = 'postgresql', resources = {} } = options;
  const dmmf = dmmfOf(models, options);
  return { dmmf, model: buildResourceModel(readDatamodel(dmmf, provider), { resources }).model };
}

/** The resource schema that the generator writes for some models. */
export function schemaOf(models: string): ResourceSchema {
  return readDatamodel(dmmfOf(models, {}), 'postgresql');
}

function dmmfOf(models: string, { provider = 'postgresql', previewFeatures = [] }: ModelOfOptions): DmmfDocument {
  const datamodel = `
generator client {
  provider        = "prisma-client"
  output          = "./client"
  previewFeatures = [${previewFeatures.map((feature) => `"${feature}"`).join(', ')}]
}

datasource db {
  provider = "${provider}"
}

${models}`;
  const dmmf = getDMMF({ datamodel });
  if ('error' in dmmf) throw dmmf.error;
  return dmmf;
}
