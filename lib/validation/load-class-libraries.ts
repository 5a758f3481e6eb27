import type { ClassLibraries } from './class-check.js';

/**
 * Loads the optional peers that check DTO classes. Called at boot, and only for hosts that give a class.
 *
 * @throws whatever `import` throws where they are not installed
 */
export async function loadClassLibraries(): Promise<ClassLibraries> {
  const [{ plainToInstance }, { validate, getMetadataStorage }] = await Promise.all([
    import('class-transformer'),
    import('class-validator'),
  ]);
  return { plainToInstance, getMetadataStorage, validate: (instance, options) => validate(instance, options) };
}
