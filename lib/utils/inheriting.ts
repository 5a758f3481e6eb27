/** An object that is like another one, but for some properties of its own. */
export function inheriting<Base extends object>(base: Base, properties: PropertyDescriptorMap): Base {
  return Object.create(base, properties) as Base;
}
