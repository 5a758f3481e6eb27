import { ConfigurationError } from '../errors/configuration-error.js';
import type { BodyValidator, StandardSchema } from '../model/surface/body-validator.js';
import type { ResourceModel } from '../model/resource-model.js';
import type { Resource } from '../model/surface/surface.js';
import { classCheck, type ClassLibraries, type GivenClass, loadClassLibraries } from './class-check.js';
import type { RecordAction, RecordCheck, RecordChecks } from './record-check.js';
import { schemaCheck } from './schema-check.js';

/**
 * Compiles the validators of the application (option `validate`) at boot. A validator that could never run is then an error, and not a silent gap.
 *
 * @param load loads the libraries for DTO classes; called only if there is a class
 * @throws ConfigurationError for a class if class-validator or class-transformer is missing, or if none of its decorators would run
 */
export async function compileChecks(
  { resources }: Pick<ResourceModel, 'resources'>,
  load: () => Promise<ClassLibraries> = loadClassLibraries,
): Promise<RecordChecks> {
  const given = resources.flatMap(validatorsOf);
  const firstClass = given.find(({ validator }) => !isStandardSchema(validator));
  const libraries = firstClass && (await loadOrExplain(firstClass.place, load));
  const checks = new Map<string, Partial<Record<RecordAction, RecordCheck>>>();
  for (const { model, action, validator, place } of given) {
    const check = isStandardSchema(validator)
      ? schemaCheck(validator)
      : libraries && classCheck({ type: validator, action, place }, libraries);
    checks.set(model, { ...checks.get(model), [action]: check });
  }
  return checks;
}

/** A validator of a body that is not a record, e.g. of an action. */
interface ConfiguredBody {
  readonly validator: BodyValidator;
  /** The path of the option, for errors. */
  readonly place: string;
  /** The decorator group that runs in addition to decorators without a group. */
  readonly group: string;
}

/**
 * Compiles the validator of a body that is not a record.
 *
 * @throws ConfigurationError like {@link compileChecks}
 */
export async function compileBodyCheck({ validator, place, group }: ConfiguredBody): Promise<RecordCheck> {
  if (isStandardSchema(validator)) return schemaCheck(validator, { hasTypes: true });
  return classCheck({ type: validator, action: group, place, hasTypes: true }, await loadOrExplain(place, loadClassLibraries));
}

interface ConfiguredValidator extends Omit<GivenClass, 'type'> {
  /** Prisma's name of the model. */
  readonly model: string;
  readonly validator: BodyValidator;
}

const ACTIONS: readonly RecordAction[] = ['create', 'update'];

function validatorsOf(resource: Resource): readonly ConfiguredValidator[] {
  return ACTIONS.flatMap((action) => {
    const validator = resource.validate?.[action];
    return validator ? [{ model: resource.model, action, validator, place: `resources.${resource.model}.validate.${action}` }] : [];
  });
}

/** Whether a validator is a Standard Schema. The property `~standard` decides, because arktype's schemas are functions like classes. */
function isStandardSchema(validator: BodyValidator): validator is StandardSchema {
  return '~standard' in validator;
}

async function loadOrExplain(place: string, load: () => Promise<ClassLibraries>): Promise<ClassLibraries> {
  try {
    return await load();
  } catch (cause) {
    throw new ConfigurationError(
      `${place} is a class, and class-validator or class-transformer cannot be loaded.`,
      'Install both, or give a Standard Schema (zod, valibot, …).',
      { cause },
    );
  }
}
