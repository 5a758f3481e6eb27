/** Creates an object that inherits from a base object and overrides some of its properties. */
export function createDerived<Base extends object>(base: Base, properties: PropertyDescriptorMap): Base {
  return Object.create(base, properties) as Base;
}
